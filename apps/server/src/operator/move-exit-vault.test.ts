import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { type Hex, parseEther, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startTestBookkeeper, type TestBookkeeper } from '../features/wallet/testing/test-bookkeeper.ts'
import { expectCustodyExact } from '../platform/chain/testing/local-chain.ts'
import type { TestUser } from '../testing/server.ts'
import { shareOperatorWorld } from './testing/operator-world.ts'
import { commandsOf } from './testing/runbook.ts'
import { deployExitVault, postNewestRoot, send } from './testing/vault-moves.ts'

const world = shareOperatorWorld()
let bookkeeper: TestBookkeeper
let user: TestUser
beforeAll(async () => {
  bookkeeper = await startTestBookkeeper()
  // A plain vault can have headers too: its root key signs them alone.
  await world.restart({ PROOFS: 'on' })
  user = await world.server.newUser()
  await user.transferIn('BNB', '5')
  await user.transferIn('USDT', '1000')
}, 60_000)
afterAll(() => bookkeeper.close())
afterEach(() => void vi.unstubAllEnvs())

const headers = async () =>
  (await world.server.db.query('select 1 from proof_header_bodies where root_signature is not null')).length
async function checkNextBlock() {
  await world.control.mine(1)
  await world.server.watcher.poll()
  return world.server.solvency.check()
}
const [stop, tryMove, move, transfer, status, reconcile, open] = commandsOf('move-to-a-new-vault') as string[][]
const sell = (amount: string) => world.server.ok('sell', { asset: 'BNB', amount }, { token: user.token })
const orders = async () => (await world.server.ok('sellOrders', {}, { token: user.token })).items

/** A deposit, also after a restart of the server. */
async function payIn(amount: string): Promise<void> {
  const { to, calldata, value } = await world.server.ok('buy', { asset: 'BNB', amount }, { token: user.token })
  await send(world, [{ to: to as Hex, calldata: calldata as Hex, value: BigInt(value) }], user.account)
  await checkNextBlock()
}

/** Moves ledger and money to the configured vault by the commands of the recipe, and opens transfers out. */
async function followRecipe(): Promise<void> {
  await world.pause()
  const exits = { VAULT_KIND: 'exits', ...bookkeeper.variables }
  expect(await world.run(stop ?? [], exits)).toMatchObject({ code: 0, stderr: '' })
  expect((await world.run(tryMove ?? [], exits)).stdout).toMatch(/^Dry run, nothing was changed/)
  expect(await world.run(move ?? [], exits)).toMatchObject({ code: 0, stderr: '' })
  const signed = await world.run([...(transfer ?? []), '--json'], exits)
  expect(signed).toMatchObject({ code: 0, stderr: '' })
  await world.restart(exits)
  bookkeeper.serve(world.server.db)
  await send(world, JSON.parse(signed.stdout).transactions)
  for (let again = 0; again < 2; again++) expect(await checkNextBlock()).toMatchObject({ ok: true })
  await world.pause()
  for (const args of [status, reconcile, open])
    expect(await world.run(args ?? [])).toMatchObject({ code: 0, stderr: '' })
  await world.resume()
  bookkeeper.serve(world.server.db)
}

/** Reads what the vault itself knows of an asset. */
async function readVault() {
  const of = { address: world.server.custody.vault, abi: exitVaultAbi } as const
  const read = { ...of, functionName: 'figuresOf', args: [zeroAddress] } as const
  const [figures, totals] = await Promise.all([
    world.control.client.readContract(read),
    world.control.client.readContract({ ...read, functionName: 'totalsOf' }),
  ])
  return { figures, totals }
}

test('moves from a plain vault to one with exits', async () => {
  await expect.poll(headers, { timeout: 20_000 }).toBeGreaterThan(0)
  const paying = await sell('1')
  const vault = await deployExitVault(world)
  await send(world, [{ to: paying.to as Hex, calldata: paying.calldata as Hex }])
  await checkNextBlock()
  await followRecipe()
  expect(world.server.custody).toMatchObject({ vault, kind: 'exits' })

  // The first root of the vault: the old one's counters are not in it, and nothing is short.
  const first = await postNewestRoot(world)
  expect((await readVault()).figures).toMatchObject({ owed: first.assets[0]?.users, depositedSeen: 0n, shortSince: 0 })
  await world.server.watcher.poll()
  const mine = await world.server.ok('proofMine', {}, { token: user.token })
  const leaf = mine.leaves.find(({ asset }) => asset === 'BNB')
  expect(leaf).toMatchObject({ free: `${parseEther('4')}`, deposited_seen: '0', paid_seen: '0' })

  // Money comes in and leaves at the new vault, and its counters are the ledger's.
  await payIn('2')
  const order = await sell('1')
  await expect.poll(async () => (await orders())[0]?.signed, { timeout: 20_000 }).toBe(true)
  const [signed] = await orders()
  expect(signed).toMatchObject({ order_id: order.order_id, to: vault })
  await send(world, [{ to: vault, calldata: signed?.calldata as Hex }])
  await checkNextBlock()
  expect((await orders())[0]).toMatchObject({ status: 'completed' })
  const next = await postNewestRoot(world)
  expect(next.assets[0]).toMatchObject({ depositedSeen: parseEther('2'), paidSeen: parseEther('1') })
  expect((await readVault()).totals).toMatchObject({ deposited: parseEther('2'), paid: parseEther('1') })
  await expectBooksBalanced(world.server.db)
  await expectCustodyExact(world.server)
}, 180_000)
