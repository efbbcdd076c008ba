import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { encodeFunctionData, type Hex, parseEther, zeroAddress, zeroHash } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startTestBookkeeper, type TestBookkeeper } from '../features/wallet/testing/test-bookkeeper.ts'
import { expectCustodyExact } from '../platform/chain/testing/local-chain.ts'
import { type BookkeeperProcess, chooseBookkeeperProcess } from '../testing/bookkeeper-process.ts'
import type { TestUser } from '../testing/server.ts'
import { shareOperatorWorld } from './testing/operator-world.ts'
import { commandsOf } from './testing/runbook.ts'
import {
  callKeys,
  configuredVault,
  configureVault,
  deployExitVault,
  postNewestRoot,
  send,
} from './testing/vault-moves.ts'

const world = shareOperatorWorld()
let bookkeeper: TestBookkeeper
/** Bookkeepers with a store, as their owners run them: one for each vault with exits. */
let bookOfFirst: BookkeeperProcess
let bookOfSecond: BookkeeperProcess
let folder: string
/** The vaults that the ledger has left. */
const left: string[] = []
let user: TestUser
beforeAll(async () => {
  bookkeeper = await startTestBookkeeper()
  bookOfFirst = await chooseBookkeeperProcess()
  bookOfSecond = await chooseBookkeeperProcess(`0x${'b8'.repeat(32)}`)
  folder = await mkdtemp(join(tmpdir(), 'clearwell-move-'))
  // A plain vault can have headers too: its root key signs them alone.
  await world.restart({ PROOFS: 'on', PROOF_DATA_KEY: bookOfFirst.variables.PROOF_DATA_KEY })
  user = await world.server.newUser()
  await user.transferIn('BNB', '5')
  await user.transferIn('USDT', '1000')
})
afterAll(async () => {
  await Promise.all([bookOfFirst.stop(), bookOfSecond.stop(), bookkeeper.close()])
  await rm(folder, { recursive: true })
})
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

/** The bookkeeper signs for the server that runs. */
async function restart(changes: Readonly<Record<string, string>> = {}): Promise<void> {
  await world.restart(changes)
  bookkeeper.serve(world.server.db)
}

/** Has a bookkeeper that follows the whole ledger with its own node judge and sign the next header, and posts it to the vault. */
async function signByProcess(own: BookkeeperProcess): Promise<void> {
  const { vault } = world.server.custody
  await world.restart(own.variables)
  const { url: serverUrl, rpcUrl } = world.server
  const site = { vault, replaced: left, vaultBlock: 0n, folder: join(folder, vault) }
  await own.start({ serverUrl, rpcUrl, ...site })
  const member = await world.server.newUser()
  await member.transferIn('BNB', '1')
  await postNewestRoot(world)
  await own.stop()
  expect(await world.server.db.query('select 1 from proof_header_bodies where book_refusal is not null')).toEqual([])
  await restart(bookkeeper.variables)
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
  await restart(exits)
  await send(world, JSON.parse(signed.stdout).transactions)
  for (let again = 0; again < 2; again++) expect(await checkNextBlock()).toMatchObject({ ok: true })
  await world.pause()
  for (const args of [status, reconcile, open])
    expect(await world.run(args ?? [])).toMatchObject({ code: 0, stderr: '' })
  await restart()
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
  const plain = world.server.custody.vault
  const vault = await deployExitVault(world, [bookOfFirst.variables.BOOKKEEPER_ADDRESS])
  await send(world, [{ to: paying.to as Hex, calldata: paying.calldata as Hex }])
  await checkNextBlock()
  await followRecipe()
  expect(world.server.custody).toMatchObject({ vault, kind: 'exits' })

  // The first root of the vault: the old one's counters are not in it, and nothing is short.
  const first = await postNewestRoot(world)
  expect((await readVault()).figures).toMatchObject({ owed: first.assets[0]?.users, depositedSeen: 0n, shortSince: 0 })
  await world.server.watcher.poll()
  const mine = await world.server.ok('proofMine', {}, { token: user.token })
  const leaf = mine.leaves.find((each) => each.kind === 'user' && each.asset === 'BNB')
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

  left.push(plain)
  await signByProcess(bookOfFirst)
  await expectBooksBalanced(world.server.db)
  await expectCustodyExact(world.server)
}, 180_000)

const DAY_S = 86_400
const exitCall = (functionName: 'requestExit' | 'cancelExit') => encodeFunctionData({ abi: exitVaultAbi, functionName })

/** The calls that pay an exit, by the arguments of the server. @returns also the vault that they go to. */
async function finishCalls({ token, account }: TestUser): Promise<{ vault: string; calls: Map<string, Hex> }> {
  const { vault, roots, next, claims } = await world.server.ok('proofClaims', {}, { token })
  const proof = {
    base: roots.map(({ header, posted_at, seq }) => ({ header: header as Hex, postedAt: posted_at, seq })),
    next: { headerHash: next.header_hash as Hex, postedAt: next.posted_at, seq: next.seq },
    ...{ unfrozen: [], unfrozenNext: { headerHash: zeroHash, postedAt: 0, seq: 0 } },
  }
  const calls = new Map(
    claims.map(({ asset, token: paid, index, leaf, place, path }) => {
      const { salt, free, deposited_seen, paid_seen } = leaf
      const claim = {
        ...{ asset: paid as Hex, index, place: BigInt(place) },
        path: path.map(({ hash, sum }) => ({ hash: hash as Hex, sum: BigInt(sum) })),
        leaf: {
          salt: salt as Hex,
          free: BigInt(free),
          depositedSeen: BigInt(deposited_seen),
          paidSeen: BigInt(paid_seen),
        },
      }
      const args = [proof, claim, account.address] as const
      return [asset, encodeFunctionData({ abi: exitVaultAbi, functionName: 'finishExit', args })] as const
    }),
  )
  return { vault, calls }
}
/** A session ends before the announcement counts. */
async function signIn(user: { account: TestUser['account']; token: string }): Promise<void> {
  const { address } = user.account
  const { nonceStr } = await world.server.ok('getNonce', { address })
  const signature = await user.account.signMessage({ message: nonceStr })
  user.token = (await world.server.ok('login', { address, signature, device_type: 'web' })).token
}
async function freeOf({ token }: Pick<TestUser, 'token'>, asset: string) {
  const balance = (await world.server.ok('balances', {}, { token })).find((each) => each.asset === asset)
  return `${balance?.available} ${balance?.locked}`
}
async function exitOf({ token }: Pick<TestUser, 'token'>) {
  const { state, vault } = await world.server.ok('proofExit', {}, { token })
  return { state, vault }
}

test('moves from a vault with exits to another, with open exits', async () => {
  const from = world.server.custody.vault
  const leaver = { ...(await world.server.newUser()) }
  const stayer = { ...(await world.server.newUser()) }
  const returner = { ...(await world.server.newUser()) }
  for (const each of [leaver, stayer, returner]) {
    await each.transferIn('BNB', '3')
    await each.transferIn('USDT', '70')
  }
  const before = await configuredVault(world)
  const to = await deployExitVault(world, [bookOfSecond.variables.BOOKKEEPER_ADDRESS])
  const after = await configuredVault(world)
  await callKeys(world, 'announceSuccessor', [to])
  const ask = async (each: TestUser, name: 'requestExit' | 'cancelExit') =>
    send(world, [{ to: from, calldata: exitCall(name) }], each.account)
  for (const each of [leaver, stayer, returner]) await ask(each, 'requestExit')
  await checkNextBlock()
  await postNewestRoot(world)

  // Until the announcement counts, the ledger stays where it is.
  await world.pause()
  const urgent = ['vault', 'move', 'urgent', '--reason', 'test']
  expect((await world.run(urgent, { VAULT_KIND: 'plain' })).stderr).toMatch(/VAULT_KIND is plain, but/)
  expect((await world.run(urgent)).stderr).toMatch(/needs zero open vouchers/)
  expect(await world.run(stop ?? [])).toMatchObject({ code: 0 })
  expect((await world.run(move ?? [])).stderr).toMatch(/does not pay to .* yet: its owner calls announceSuccessor/)
  await configureVault(world, ...before)
  await restart()
  await world.server.ok('localAdvance', { seconds: 10 * DAY_S + 60 })
  await checkNextBlock()
  for (const each of [leaver, stayer, returner]) await signIn(each)
  await world.pause()
  await configureVault(world, ...after)
  expect(await world.run(move ?? [])).toMatchObject({ code: 0, stderr: '' })
  await restart()

  // The server names the old vault and proves the balance there. That vault pays, and the ledger follows.
  const there = { state: 'ready', vault: from.toLowerCase() }
  expect([await exitOf(leaver), await exitOf(stayer)]).toEqual([there, there])
  await ask(returner, 'cancelExit')
  await checkNextBlock()
  expect(await exitOf(returner)).toEqual({ state: 'none', vault: null })
  async function finish(asset: string, payable: readonly string[]): Promise<void> {
    const { vault, calls } = await finishCalls(leaver)
    expect({ vault, payable: [...calls.keys()].sort() }).toEqual({ vault: from.toLowerCase(), payable })
    await send(world, [{ to: vault as Hex, calldata: calls.get(asset) as Hex }], leaver.account)
    await checkNextBlock()
  }
  await finish('USDT', ['BNB', 'USDT'])
  expect([await freeOf(leaver, 'USDT'), await freeOf(leaver, 'BNB')]).toEqual(['0 0', '3 0'])

  // With the first payment to its successor the old vault is closed. It pays open exits as far as it holds money.
  const transfers = async () => {
    await world.pause()
    const signed = await world.run([...(transfer ?? []), '--json'])
    await restart()
    return JSON.parse(signed.stdout).transactions as { to: Hex; calldata: Hex }[]
  }
  const [, usdt] = await transfers()
  await send(world, usdt ? [usdt] : [])
  await finish('BNB', ['BNB'])
  expect(await freeOf(leaver, 'BNB')).toBe('0 0')
  expect((await finishCalls(leaver)).calls.size).toBe(0)
  await send(world, await transfers())
  for (let again = 0; again < 2; again++) expect(await checkNextBlock()).toMatchObject({ ok: true })

  // It is empty. Who did nothing follows the successor, and is open there.
  await expect.poll(() => exitOf(stayer), { timeout: 20_000 }).toEqual({ state: 'none', vault: null })
  await world.pause()
  for (const args of [status, reconcile, open])
    expect(await world.run(args ?? [])).toMatchObject({ code: 0, stderr: '' })
  await restart()
  const root = await postNewestRoot(world)
  expect(root.assets[0]).toMatchObject({ depositedSeen: 0n, paidSeen: 0n, exitedSeen: 0n })
  expect((await readVault()).figures).toMatchObject({ owed: root.assets[0]?.users, shortSince: 0 })
  const order = await world.server.ok('sell', { asset: 'USDT', amount: '70' }, { token: stayer.token })
  expect(order).toMatchObject({ to })

  // A bookkeeper of the new vault follows the whole ledger over both moves, and signs.
  left.push(from)
  await signByProcess(bookOfSecond)
  await expectBooksBalanced(world.server.db)
  await expectCustodyExact(world.server)
}, 180_000)
