import { MemoryLedger, refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, describe, expect, test } from 'vitest'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { breakers } from '../../platform/ledger/breaker.ts'
import { depositOrders } from '../../platform/ledger/deposit-orders.ts'
import { orderDeposit } from './order-deposit.ts'
import { orderWithdrawal } from './order-withdrawal.ts'
import { START, WithdrawalLedger } from './testing/withdrawal-ledger.ts'

const bnb = (units: bigint) => ({ asset: 'BNB', units }) as const
const range = { min: '0.000000000000000005', max: '0.00000000000000001' }

describe('a transfer out', () => {
  let ledger: WithdrawalLedger
  beforeEach(() => {
    ledger = new WithdrawalLedger()
    ledger.add(userAccount('user', 'available'), 'BNB', 10n)
  })
  const rules = { limits: { minOut: 5n, maxOut: 10n }, voucherTtlMs: 60_000 }
  const command = (units: bigint, now = START) =>
    orderWithdrawal(rules, { userId: 'user', amount: bnb(units), key: 'key', now })
  const order = (units: bigint) => ledger.execute(command(units)).orderId

  test('locks an amount within both limits', () => {
    expect(ledger.order(order(5n))).toMatchObject({ amount: 5n, status: 'locked', refund_account: null })
    expect(ledger.parts('user')).toEqual([5n, 5n])
    ledger.add(userAccount('user', 'available'), 'BNB', 5n)
    order(10n)
    expect(ledger.parts('user')).toEqual([0n, 15n])
  })

  test.each([4n, 11n])('of %s units is out of range', (units) => {
    ledger.add(userAccount('user', 'available'), 'BNB', 10n)
    expect(refusalOf(() => order(units))).toEqual({ refusal: 'amount_out_of_range', data: range })
    expect(ledger.parts('user')).toEqual([20n, 0n])
  })

  test('takes the whole balance, and no unit more', () => {
    ledger.add(userAccount('user', 'available'), 'BNB', -1n)
    expect(refusalOf(() => order(10n))).toEqual({ refusal: 'balance_not_enough', data: {} })
    order(9n)
    expect(ledger.parts('user')).toEqual([0n, 9n])
  })

  test.each(['solvency', 'vault_move'])('is refused while the breaker %s is open', (id) => {
    ledger.put(breakers, { id, stopped_at: START, reason: 'insolvent', detail: 'a test' })
    expect(refusalOf(() => order(5n)).refusal).toBe('trading_suspended')
    expect(ledger.parts('user')).toEqual([10n, 0n])
    ledger.put(breakers, { id, stopped_at: null, reason: null, detail: null })
    expect(ledger.order(order(5n)).status).toBe('locked')
  })

  test("ends by the clock's time, not by the ledger's", () => {
    const { orderId } = ledger.execute(command(5n, new Date(START.getTime() - 5_001)))
    expect(ledger.order(orderId)).toMatchObject({
      created_at: START,
      // A whole second.
      deadline: new Date(START.getTime() + 54_000),
    })
  })

  test('binds its key to the amount, and needs no young proof', () => {
    const { kind, owner, key, payload, worksUnproven, worksStopped } = command(5n)
    expect({ kind, owner, key, payload, worksUnproven, worksStopped }).toEqual({
      ...{ kind: 'order_withdrawal', owner: 'user', key: 'key', worksUnproven: true },
      payload: { asset: 'BNB', amount: '0.000000000000000005' },
    })
  })
})

describe('a transfer in', () => {
  const rules = { limits: { minIn: 5n, maxIn: 10n }, orderTtlMs: 60_000 }
  const command = (units: bigint) => orderDeposit(rules, { userId: 'user', amount: bnb(units), key: 'key' })

  test('opens an order within both limits, and moves nothing', () => {
    const ledger = new MemoryLedger(START)
    for (const units of [5n, 10n]) {
      const { orderId: id } = ledger.execute(command(units))
      expect(ledger.row(depositOrders, id)).toEqual({
        ...{ id, user_id: 'user', purpose: 'transfer_in', asset: 'BNB', amount: units, credited: 0n, tx_hash: null },
        ...{ created_at: START, expires_at: new Date(START.getTime() + 60_000) },
      })
    }
    expect([ledger.rows(depositOrders).length, ledger.total('BNB')]).toEqual([2, 0n])
  })

  test.each([4n, 11n])('of %s units is out of range', (units) => {
    const ledger = new MemoryLedger(START)
    expect(refusalOf(() => ledger.execute(command(units)))).toEqual({ refusal: 'amount_out_of_range', data: range })
  })

  test('binds its key to the amount, and works while trading is stopped', () => {
    const { kind, owner, key, payload, worksStopped } = command(5n)
    expect({ kind, owner, key, payload, worksStopped }).toEqual({
      ...{ kind: 'order_deposit', owner: 'user', key: 'key', worksStopped: true },
      payload: { asset: 'BNB', amount: '0.000000000000000005' },
    })
  })
})
