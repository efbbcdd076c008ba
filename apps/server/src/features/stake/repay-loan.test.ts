import { beforeEach, describe, expect, test } from 'vitest'
import { LOAN_STATUS, lendingPools, loans } from '../../domain/lending/lending.tables.ts'
import { lendingCash } from '../../domain/lending/lending-accounts.ts'
import { lostPrices } from '../../domain/lending/testing/known-prices.ts'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { breakers } from '../../platform/ledger/breaker.ts'
import { type LendingLedger, units } from '../../testing/lending-ledger.ts'
import { repayLoan } from './repay-loan.ts'
import { newPledgedPool, refused } from './testing/pledged-pool.ts'

const DAY = 86_400

let ledger: LendingLedger
beforeEach(() => {
  ledger = newPledgedPool()
})

/**
 * @attack S02 A repayment left a debt of one unit, so dust orders without end kept the leader busy and delayed all warnings.
 * @holds What a repayment leaves is nothing or at least the least loan.
 */
test('leaves nothing or the least loan after a repayment', () => {
  const { order_id: id } = ledger.borrow('user', '1', '100')
  const rest = (max: string) => ({ amount_out_of_range: { max, reason: 'least_rest' } })
  expect(refused(() => ledger.repay('user', id, '90.000000000000000001'))).toEqual(rest('90'))
  expect(refused(() => ledger.repay('user', id, '99.999999999999999999'))).toEqual(rest('90'))
  ledger.repay('user', id, '90')
  expect(refused(() => ledger.repay('user', id, '0.000000000000000001'))).toEqual(rest('0'))
  expect(ledger.repay('user', id, '100')).toMatchObject({ status: 1, paid: '10' })
})

test('takes the last unit of the balance, and no unit more', () => {
  const { order_id: id } = ledger.borrow('user', '9', '3000')
  // Of the 500 that the user had besides the loan, a unit less than nothing is left.
  ledger.add(userAccount('user', 'available'), 'USDT', -units('500') - 1n)
  expect(refused(() => ledger.repay('user', id, 'all'))).toEqual({ balance_not_enough: {} })
  ledger.add(userAccount('user', 'available'), 'USDT', 1n)
  expect(ledger.repay('user', id, 'all')).toMatchObject({ status: LOAN_STATUS.completed, total_debt: '0' })
  expect([ledger.has('user', 'USDT'), ledger.has('user', 'BNB')]).toEqual([0n, units('10')])
})

test('an order counts its repayments, and the interest in them', () => {
  const { order_id: id } = ledger.borrow('user', '8', '3000')
  expect(ledger.borrow('user', '1', '100')).toMatchObject({ repaid: '0', interest_paid: '0' })
  ledger.advance(20 * DAY)
  const { interest_due: first, ...part } = ledger.addCollateral('user', id, '0.000000000000000001')
  expect(part).not.toHaveProperty('ended_at')
  expect(ledger.repay('user', id, '1000')).toMatchObject({ repaid: '1000', interest_paid: first })
  ledger.advance(20 * DAY)
  ledger.give('user', 'USDT', '100')
  const { paid, ...order } = ledger.repay('user', id, 'all')
  const all = units('1000') + units(paid ?? '')
  expect(order).toMatchObject({ status: LOAN_STATUS.completed, ended_at: ledger.now.toISOString() })
  // All principal is repaid, so the rest was interest.
  expect([units(order.repaid ?? ''), units(order.interest_paid ?? '')]).toEqual([all, all - units('3000')])
  expect(all - units('3000')).toBeGreaterThan(units(first))
})

test('an order of before repayments were counted shows no sum', () => {
  const { order_id: id } = ledger.borrow('user', '9', '3000')
  ledger.put(loans, { ...ledger.row(loans, id)!, repaid: null, interest_paid: null })
  const order = ledger.repay('user', id, 'all')
  expect(order).toMatchObject({ paid: '3000', ended_at: ledger.now.toISOString() })
  expect([order.repaid, order.interest_paid]).toEqual([undefined, undefined])
  expect(ledger.row(loans, id)).toMatchObject({ repaid: null, interest_paid: null })
})

test('has no posting of nothing where no interest is due', () => {
  const { order_id: orderId } = ledger.borrow('user', '9', '3000')
  const assets = { collateral: 'BNB', borrowed: 'USDT' } as const
  const input = { userId: 'user', orderId, amount: units('100'), key: undefined, assets, prices: ledger.prices }
  expect(ledger.plan(repayLoan(ledger.rules, input)).entries).toEqual([
    {
      kind: 'loan_repayment',
      reference: orderId,
      postings: [
        { account: userAccount('user', 'available'), asset: 'USDT', units: -units('100') },
        { account: lendingCash('USDT'), asset: 'USDT', units: units('100') },
      ],
    },
  ])
})

test('a clock that goes back leaves no interest behind', () => {
  ledger.advance(-3)
  ledger.setPrice('600')
  const { order_id: id } = ledger.borrow('user', '9', '3000')
  ledger.advance(DAY)
  ledger.pledge('user', '1')
  ledger.advance(-2)
  ledger.repay('user', id, '100')
  ledger.advance(DAY)
  ledger.withdraw('user', 'all')
  ledger.advance(-1)
  ledger.give('user', 'USDT', '100')
  ledger.repay('user', id, 'all')
  expect(ledger.row(lendingPools, 'USDT')).toMatchObject({ borrowed: 0n, debt_shares: 0n })
})

describe('while trading is suspended', () => {
  test('only repaying, adding collateral and withdrawing work', () => {
    const { order_id: id } = ledger.borrow('user', '9', '3000')
    ledger.put(breakers, { id: 'solvency', stopped_at: ledger.now, reason: 'insolvent', detail: 'a test' })
    const suspended = { trading_suspended: { reason: 'insolvent' } }
    expect(refused(() => ledger.borrow('user', '1', '100'))).toEqual(suspended)
    expect(refused(() => ledger.pledge('user', '10'))).toEqual(suspended)
    expect(refused(() => ledger.removeCollateral('user', id, '1'))).toEqual(suspended)
    expect(ledger.addCollateral('user', id, '1').collateral_amount).toBe('10')
    expect(ledger.withdraw('pledger', '10').total_pledged).toBe('29990')
    ledger.prices = lostPrices('stale')
    expect(ledger.repay('user', id, '1000').borrowed_amount).toBe('2000')
    ledger.give('user', 'USDT', '1')
    expect(ledger.repay('user', id, 'all').status).toBe(LOAN_STATUS.completed)
  })
})
