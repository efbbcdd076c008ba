import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { simulatedPayment, simulatedWithdrawal } from '../../platform/chain/testing/simulated-chain.ts'
import { INSURANCE, TREASURY } from '../../platform/ledger/accounts.ts'
import { moveFunds } from '../../platform/operator/move-funds.ts'
import type { AnyOperatorAction, OperatorResult } from '../../platform/operator/operator-action.ts'
import { executeForOwners } from '../../testing/operate.ts'
import { planRewind } from './plan-rewind.ts'
import { rewindWatcher } from './rewind-watcher.ts'
import { settleWithdrawal } from './settle-withdrawal.ts'
import { ANN, BEN, openWithdrawalBench, TTL_MS, type WithdrawalBench } from './testing/withdrawal.ts'
import { withdrawTreasury } from './withdraw-treasury.ts'
import type { WithdrawalRow } from './withdrawal-orders.ts'

/** The address whose payments go to the treasury, in the rules of the bench. */
const OPERATOR = `0x${'0'.repeat(40)}`
const ACTIONS: readonly AnyOperatorAction[] = [rewindWatcher, withdrawTreasury, moveFunds]

let bench: WithdrawalBench
beforeEach(async () => {
  bench = await openWithdrawalBench()
})
afterEach(async () => {
  await expectBooksBalanced(bench.db)
  await expectVaultExact()
  await bench.close()
})

/** The vault holds exactly what the ledger owes, at the watcher's block. */
async function expectVaultExact(): Promise<void> {
  const [cursor] = await bench.db.query<{ number: bigint }>('select number from chain_cursors')
  expect(await bench.chain.vaultHolding('BNB', cursor?.number as bigint)).toBe(-(await units('vault')))
}

async function units(account: string): Promise<bigint> {
  return (await bench.store.balances([account])).find(({ asset }) => asset === 'BNB')?.units ?? 0n
}

const act = (kind: string, payload: object): Promise<OperatorResult> =>
  executeForOwners(bench, ACTIONS, { kind, payload, now: bench.now() })

async function rewind(to: bigint): Promise<OperatorResult> {
  const { db, chain } = bench
  const plan = await planRewind({ db, chain, confirmations: 3, operator: OPERATOR }, to)
  if ('fault' in plan) throw new Error(plan.fault)
  return act('rewind_watcher', plan.payload)
}

/** A payment of ANN that is credited at three confirmations. */
async function pay(name: string, amount: bigint): Promise<ReturnType<typeof simulatedPayment>> {
  const payment = simulatedPayment(name, { account: ANN, asset: 'BNB', units: amount })
  bench.chain.mine(payment)
  bench.chain.mineEmpty(2)
  await bench.watcher.poll()
  return payment
}

/** Replaces the last blocks by longer ones with these transactions, and lets the watcher halt. */
async function reorg(
  depth: number,
  ...transactions: (ReturnType<typeof simulatedPayment> | ReturnType<typeof simulatedWithdrawal>)[]
): Promise<void> {
  bench.chain.reorg(depth)
  bench.chain.mine(...transactions)
  bench.chain.mineEmpty(depth + 5)
  await bench.watcher.poll()
  await bench.watcher.poll()
  expect(bench.watcher.halted).toBeDefined()
  expect(bench.alarms.splice(0)).toHaveLength(1)
}

async function spend(amount: bigint): Promise<WithdrawalRow> {
  const order = await bench.lock(ANN, amount)
  const { store, writer, signer, clock } = bench
  await settleWithdrawal({ store, writer, signer, clock, custody: { tokens: [] } }, order)
  bench.chain.mine(bench.paymentOf(order))
  bench.chain.mineEmpty(2)
  await bench.watcher.poll()
  return bench.row(order.id)
}

describe('after a deep reorganisation', () => {
  test('rewind takes a lost credit back and the watcher continues', async () => {
    await bench.fund(BEN, 7n)
    await pay('lost', 50n)
    for (const block of [3, 4])
      await bench.db.query(
        `insert into exit_acts (id, user_id, kind, at, tx_hash, block, log_index) values ($1, $2, 'request', $3, '0x1', $4, 0)`,
        [`31337:0x${block}:0`, BEN, bench.now(), block],
      )
    await reorg(3)
    const { isDone, text } = await rewind(3n)
    expect({ isDone, text }).toEqual({
      isDone: true,
      text: 'The watcher is at block 3: 1 credits taken back, 0 renamed, 0 transfers out open again, 0 payments of exits taken back.',
    })
    expect(await bench.balances(ANN)).toEqual({ available: 0n, locked: 0n })
    const acts = await bench.db.query<{ block: bigint; is_void: boolean }>(
      'select block, is_void from exit_acts order by id',
    )
    expect(acts.map(({ block, is_void }) => [block, is_void])).toEqual([
      [3n, false],
      [4n, true],
    ])
    expect(await bench.entriesOf('deposit_reversal')).toHaveLength(1)
    await pay('later', 5n)
    expect(bench.watcher.halted).toBeUndefined()
    expect(await bench.balances(ANN)).toEqual({ available: 5n, locked: 0n })
    expect(await bench.balances(BEN)).toEqual({ available: 7n, locked: 0n })
    const [audit] = await bench.db.query('select kind, reason from operator_actions')
    expect(audit).toEqual({ kind: 'rewind_watcher', reason: 'test' })
  })

  test('operator accounts pay what the user spent and are repaid first', async () => {
    await bench.fund(OPERATOR, 40n)
    await act('move_funds', { from: TREASURY, to: INSURANCE, asset: 'BNB', units: '15' })
    await bench.fund(ANN, 1n)
    const to = (await bench.chain.head()).number
    const lost = await pay('lost', 50n)
    const order = await spend(31n)
    const paid = simulatedWithdrawal('again', { account: ANN, asset: 'BNB', units: 31n, nonce: order.nonce })
    await reorg(6, paid)
    expect((await rewind(to)).text).toContain('The users had spent 0.00000000000000003 BNB')
    expect([await units(INSURANCE), await units(TREASURY)]).toEqual([0n, 10n])
    expect(await bench.entriesOf('reversal_shortfall')).toEqual([lost.txHash])
    await bench.watcher.poll()
    expect((await bench.row(order.id)).status).toBe('completed')
    bench.chain.mine(lost)
    bench.chain.mineEmpty(2)
    await bench.watcher.poll()
    expect([await units(INSURANCE), await units(TREASURY)]).toEqual([15n, 25n])
    expect(await bench.balances(ANN)).toEqual({ available: 20n, locked: 0n })
  })

  test('rewind changes nothing while no account can pay the shortfall', async () => {
    await bench.fund(BEN, 100n)
    const to = (await bench.chain.head()).number
    const lost = await pay('lost', 50n)
    const order = await spend(30n)
    await reorg(6, simulatedWithdrawal('again', { account: ANN, asset: 'BNB', units: 30n, nonce: order.nonce }))
    const before = await bench.db.query('select number from chain_cursors')
    expect(await rewind(to)).toEqual({
      isDone: false,
      text: `0.00000000000000003 BNB of payment ${lost.txHash} are missing in insurance and treasury. See the runbook: nothing was changed.`,
    })
    expect(await bench.db.query('select number from chain_cursors')).toEqual(before)
    expect(await bench.balances(ANN)).toEqual({ available: 20n, locked: 0n })
    // The payment returns with its transaction, and the credit stays.
    bench.chain.mine(lost)
    bench.chain.mineEmpty(2)
    expect(await rewind(to)).toMatchObject({ isDone: true })
    await bench.watcher.poll()
    expect(await bench.balances(ANN)).toEqual({ available: 20n, locked: 0n })
  })

  test('rewind keeps the credit of a payment that moved to another log', async () => {
    await bench.fund(BEN, 1n)
    const to = (await bench.chain.head()).number
    const payment = await pay('moved', 50n)
    await reorg(3, simulatedPayment('neighbour', { account: BEN, asset: 'BNB', units: 2n }), payment)
    expect(await rewind(to)).toMatchObject({
      isDone: true,
      text: expect.stringContaining('0 credits taken back, 1 ren'),
    })
    await bench.watcher.poll()
    await bench.watcher.poll()
    expect([await bench.balances(ANN), await bench.balances(BEN)]).toMatchObject([
      { available: 50n },
      { available: 3n },
    ])
  })

  test('rewind rejects a block after the fork or without confirmations', async () => {
    await bench.fund(BEN, 1n)
    await pay('lost', 50n)
    const head = (await bench.chain.head()).number
    await reorg(3)
    await expect(rewind(head)).rejects.toThrow('choose an earlier block')
    await expect(rewind(1_000n)).rejects.toThrow('choose an earlier block')
    await rewind(3n)
    await bench.watcher.poll()
  })
})

describe('a transfer out of the treasury', () => {
  async function withdraw(amount: string): Promise<WithdrawalRow> {
    const payload = { operator: OPERATOR, asset: 'BNB', units: amount, voucherTtlMs: TTL_MS }
    const { orderId = '' } = await act('withdraw_treasury', payload)
    const { store, writer, signer, clock } = bench
    await settleWithdrawal({ store, writer, signer, clock, custody: { tokens: [] } }, await bench.row(orderId))
    return bench.row(orderId)
  }

  test('completes when the vault has paid its voucher', async () => {
    await bench.fund(OPERATOR, 40n)
    const order = await withdraw('30')
    expect(order).toMatchObject({ status: 'signed', user_id: OPERATOR })
    expect(await units(TREASURY)).toBe(10n)
    bench.chain.mine(bench.paymentOf(order))
    bench.chain.mineEmpty(2)
    await bench.watcher.poll()
    expect((await bench.row(order.id)).status).toBe('completed')
    expect(await bench.balances(OPERATOR)).toEqual({ available: 0n, locked: 0n })
  })

  test('returns an unused amount to the treasury', async () => {
    await bench.fund(OPERATOR, 40n)
    const order = await withdraw('30')
    bench.advance(TTL_MS + 1_000)
    bench.advance(1_000)
    bench.chain.mineEmpty(3)
    await bench.watcher.poll()
    expect((await bench.row(order.id)).status).toBe('expired')
    expect(await units(TREASURY)).toBe(40n)
  })

  test('refuses more than the treasury has', async () => {
    await bench.fund(OPERATOR, 40n)
    const payload = { operator: OPERATOR, asset: 'BNB', units: '41', voucherTtlMs: TTL_MS }
    expect(await act('withdraw_treasury', payload)).toEqual({
      isDone: false,
      text: 'The treasury has only 0.00000000000000004 BNB.',
    })
    expect(await bench.db.query('select id from operator_actions')).toEqual([])
    const [request] = await bench.db.query<{ done_at: Date }>('select done_at from operator_requests')
    expect(request?.done_at).toBeInstanceOf(Date)
  })
})

test('a plan lists the exits that were open before a cancel', async () => {
  bench.chain.mineEmpty(20)
  await bench.watcher.poll()
  const at = bench.now()
  const act = (user: string, kind: string, block: number, isVoid = false) =>
    bench.db.query(
      `insert into exit_acts (id, user_id, kind, at, tx_hash, block, log_index, is_void) values ($1, $2, $3, $4, '0x1', $5, 0, $6)`,
      [`56:${user}:${block}`, user, kind, at, block, isVoid],
    )
  for (const user of [ANN, BEN])
    await bench.db.query(
      `insert into exits (id, state, exit_at, block, changed_at, owes) values ($1, 'closed', $2, 9, $2, false)`,
      [user, at],
    )
  // The exit of ANN was open at block 5, and that of BEN was not.
  await act(ANN, 'request', 4)
  await act(ANN, 'cancel', 7)
  await act(ANN, 'request', 8)
  await act(ANN, 'cancel', 9)
  await act(BEN, 'request', 2)
  await act(BEN, 'cancel', 3)
  await act(BEN, 'request', 4, true)
  await act(BEN, 'request', 8)
  await act(BEN, 'cancel', 9)
  const { db, chain } = bench
  const plan = await planRewind({ db, chain, confirmations: 3, operator: OPERATOR }, 5n)
  expect(plan).toMatchObject({ payload: { reopened: [{ account: ANN, at: at.toISOString(), block: '4' }] } })
})
