import { randomUUID } from 'node:crypto'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { encodeFunctionData, erc20Abi, type Hex, parseEther } from 'viem'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { expectCustodyExact } from '../platform/chain/testing/local-chain.ts'
import type { TestUser } from '../testing/server.ts'
import { openOperatorClock } from './execute-request.ts'
import { withLedger } from './open-books.ts'
import { storeRequest } from './request-store.ts'
import { openSigners, signRequest } from './sign-request.ts'
import { isBeside, shareOperatorWorld } from './testing/operator-world.ts'
import { commandsOf } from './testing/runbook.ts'
import { deployVault, send } from './testing/vault-moves.ts'

const SUSPENDED = { code: 20005, data: { reason: 'insolvent' } }

const world = shareOperatorWorld()
let user: TestUser
/** Its voucher of the old vault is submitted after the move. */
let payee: TestUser
beforeAll(async () => {
  user = await world.server.newUser()
  payee = await world.server.newUser()
  await user.transferIn('USDT', '1000')
  for (const each of [user, payee]) await each.transferIn('BNB', '5')
  await user.activateByBalance()
})
afterEach(() => void vi.unstubAllEnvs())

/** Leaves what a command leaves that is killed after it has stored its request. */
async function requestAndDie(payload: object): Promise<void> {
  for (const [name, value] of Object.entries(world.variables())) vi.stubEnv(name, value)
  await withLedger(async (config, db) => {
    const [watched] = await db.query<{ vault: string }>('select vault from watched_vaults')
    const asked_at = (await openOperatorClock(config, db)).now()
    const request = {
      ...{ id: randomUUID(), kind: 'move_vault', payload: JSON.stringify(payload), reason: 'killed', asked_at },
      ...{ chain_id: String(config.chain.id), vault: watched?.vault ?? '' },
      expires_at: new Date(asked_at.getTime() + 3_600_000),
    }
    await storeRequest(db, request, await signRequest(request, openSigners(config, request.chain_id), 2))
  })
}

/** Reads a new block and checks it. */
async function checkNextBlock() {
  await world.control.mine(1)
  await world.server.watcher.poll()
  return world.server.solvency.check()
}
async function available(asset: string) {
  return (await world.server.ok('balances', {}, { token: user.token })).find((each) => each.asset === asset)?.available
}
const sell = () => world.server.call('sell', { asset: 'BNB', amount: '1' }, { token: user.token })
const [tryMove, move, breaker, tryTransfer, transfer, status, tryCredit, credit] = commandsOf(
  'replace-the-vault',
) as string[][]

test('the runbook of a replaced vault loses no unit', async () => {
  const open = await world.server.ok('sell', { asset: 'BNB', amount: '1.25' }, { token: user.token })
  const paying = await world.server.ok('sell', { asset: 'BNB', amount: '1.25' }, { token: payee.token })
  const late = await world.server.ok('buy', { asset: 'USDT', amount: '20' }, { token: user.token })
  const old = world.server.custody.vault
  const vault = await deployVault(world)
  const { number: head } = await world.control.client.getBlock()

  await world.pause()
  expect(await world.run(['reconcile'])).toMatchObject({ code: 1, stderr: expect.stringMatching(/vault move/) })
  const ids = { from: old.toLowerCase(), to: vault.toLowerCase() }
  expect((await world.run(tryMove ?? [])).stdout).toMatch(/^Dry run, nothing was changed/)
  await requestAndDie({
    chainId: String(world.server.config.chain.id),
    ...ids,
    unusedTo: String(head),
    stoppedAt: null,
  })
  for (let again = 0; again < 2; again++) expect(await world.run(move ?? [])).toMatchObject({ code: 0, stderr: '' })
  expect(await world.run(breaker ?? [])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(vault.toLowerCase()),
  })
  if (isBeside) {
    // The server with the old vault can neither book a payment nor close the breaker.
    await checkNextBlock()
    await checkNextBlock()
    expect(world.server.watcher.halted).toMatch(/moved to another vault/)
  }
  await world.restart()
  expect(await world.server.db.query('select kind from operator_actions where person is not null')).toEqual([
    { kind: 'move_vault' },
  ])
  expect(world.server.custody.vault).toBe(vault)

  // The old vault pays its open voucher after the move.
  await send(world, [{ to: paying.to as Hex, calldata: paying.calldata as Hex }])
  expect(await checkNextBlock()).toMatchObject({ ok: false })
  const [paid] = (await world.server.ok('sellOrders', {}, { token: payee.token })).items
  expect(paid).toMatchObject({ status: 'completed' })
  expect(world.server.errors.map(({ task }) => task)).not.toContain('withdrawals')
  await expectBooksBalanced(world.server.db)

  // An old page still pays the old vault.
  const token = world.server.custody.tokens.find(({ asset }) => asset === 'USDT')?.address as Hex
  const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [old, parseEther('20')] })
  await send(
    world,
    [
      { to: token, calldata: approval },
      { to: late.to as Hex, calldata: late.calldata as Hex },
    ],
    user.account,
  )
  expect(await checkNextBlock()).toMatchObject({ ok: false })
  expect(await sell()).toMatchObject(SUSPENDED)
  expect(await available('USDT')).toBe('990')
  const [shown] = (await world.server.ok('sellOrders', {}, { token: user.token })).items
  expect(shown).toMatchObject({ order_id: open.order_id, status: 'locked', calldata: null, to: vault })

  await world.pause()
  expect((await world.run(tryTransfer ?? [])).stdout).toMatch(/^Dry run, nothing was changed/)
  expect((await world.run(tryCredit ?? [])).stderr).toMatch(/move the money of these deposits first/)
  const signed = await world.run([...(transfer ?? []), '--json'])
  const { transactions } = JSON.parse(signed.stdout)
  await world.resume()

  // Half of the money is there, and the server is restarted.
  const [first, ...others] = transactions
  await send(world, [first])
  expect(await checkNextBlock()).toMatchObject({ ok: false })
  await world.restart()
  expect(await sell()).toMatchObject(SUSPENDED)
  await send(world, others)
  for (let again = 0; again < 2; again++) expect(await checkNextBlock()).toMatchObject({ ok: true })
  const swap = { pool_id: 'bnb-usdt', amount: '1', inverse: 0, min_amount_out: '0' } as const
  const deadline = new Date(Date.now() + 600_000).toISOString()
  await world.server.ok('doSwap', { ...swap, deadline }, { token: user.token })
  expect(await sell()).toMatchObject({ code: 1, data: { status: 'signed', to: vault } })

  await world.pause()
  expect((await world.run(status ?? [])).stdout).toMatch(/^Not credited: 20 USDT of 0x/m)
  expect((await world.run(tryCredit ?? [])).stdout).toMatch(/^Dry run[\s\S]* 20 USDT/)
  expect(await world.run(credit ?? [])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Credited: 20 USDT/) })
  expect(await world.run(credit ?? [])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^No deposit/) })
  await world.resume()
  // The voucher of the old vault expires.
  await world.control.client.increaseTime({ seconds: 7_200 })
  await checkNextBlock()
  const orders = (await world.server.ok('sellOrders', {}, { token: user.token })).items
  expect(orders.map((order) => order.status)).toEqual(['expired', 'expired'])
  expect(await available('BNB')).toBe('4')
  await world.pause()
  for (const args of commandsOf('replace-the-vault').slice(8)) expect(await world.run(args)).toMatchObject({ code: 0 })
  await world.resume()
  expect(await checkNextBlock()).toMatchObject({ ok: true, surplus: undefined })
  expect(await available('USDT')).not.toBe('990')
  await expectBooksBalanced(world.server.db)
  await expectCustodyExact(world.server)
}, 180_000)
