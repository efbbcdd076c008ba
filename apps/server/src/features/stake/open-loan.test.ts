import { beforeEach, describe, expect, test } from 'vitest'
import { borrowers } from '../../domain/lending/lending.tables.ts'
import { lendingCash } from '../../domain/lending/lending-accounts.ts'
import { lostPrices, pricesBetween } from '../../domain/lending/testing/known-prices.ts'
import { type LendingLedger, START, units } from '../../testing/lending-ledger.ts'
import { type StakeDependencies, stakeHandlers } from './stake.handlers.ts'
import { newPledgedPool, refused } from './testing/pledged-pool.ts'

const E18 = 10n ** 18n
const DAY = 86_400

let ledger: LendingLedger
beforeEach(() => {
  ledger = newPledgedPool()
})

describe('a loan', () => {
  test('moves collateral and money, and is repaid without dust', { tags: ['§1.09'] }, () => {
    const order = ledger.borrow('user', '10', '3900')
    expect(order).toMatchObject({
      status: 2,
      ltv: '0.65',
      liquidation_price: '469.879518072289156626',
      total_debt: '3900',
    })
    expect([ledger.has('user', 'BNB'), ledger.has('user', 'BNB', 'collateral'), ledger.has('user', 'USDT')]).toEqual([
      0n,
      10n * E18,
      4_400n * E18,
    ])
    ledger.advance(30 * DAY - 1)
    expect(ledger.repay('user', order.order_id, 'all')).toMatchObject({
      status: 1,
      total_debt: '0',
      borrowed_amount: '3900',
    })
    expect([ledger.has('user', 'BNB'), ledger.has('user', 'BNB', 'collateral')]).toEqual([10n * E18, 0n])
    expect(refused(() => ledger.repay('user', order.order_id, '1'))).toEqual({ conflict: { reason: 'loan_repaid' } })
    ledger.withdraw('pledger', 'all')
    expect(ledger.balance(lendingCash('USDT'), 'USDT')).toBeLessThanOrEqual(3n)
    expect(ledger.pool()).toMatchObject({ borrowed: 0n, debtShares: 0n, shares: 0n })
  })

  test('needs an activated account', () => {
    ledger.give('stranger', 'BNB', '1')
    expect(refused(() => ledger.borrow('stranger', '1', '100'))).toEqual({ not_activated: {} })
  })

  test('is refused by a unit over the initial limit', () => {
    expect(refused(() => ledger.borrow('user', '1', '390.000000000000000001'))).toEqual({
      amount_out_of_range: { max: '390' },
    })
    expect(ledger.borrow('user', '1', '390').ltv).toBe('0.65')
  })

  test('uses the worse of two prices', () => {
    ledger.prices = pricesBetween(ledger.now, units('600'), units('610'))
    expect(refused(() => ledger.borrow('user', '1', '391'))).toEqual({ amount_out_of_range: { max: '390' } })
    const { order_id: id } = ledger.borrow('user', '2', '390')
    expect(refused(() => ledger.removeCollateral('user', id, '1.1'))).toEqual({ amount_out_of_range: { max: '1' } })
  })

  test('rejects too much, too little, a higher rate and old prices', { tags: ['§5.07'] }, () => {
    // Also where the collateral is too small for it, and without a price.
    const toThePool = { exceeds_lending_pool: { max: '30000' } }
    expect(refused(() => ledger.borrow('user', '3', '9999999'))).toEqual(toThePool)
    expect(refused(() => ledger.borrow('user', '11', '30001', { prices: lostPrices('unknown') }))).toEqual(toThePool)
    expect(refused(() => ledger.borrow('user', '10', '9.99'))).toEqual({ amount_out_of_range: { min: '10' } })
    expect(refused(() => ledger.borrow('user', '11', '100'))).toEqual({ balance_not_enough: {} })
    expect(refused(() => ledger.borrow('user', '10', '3900', { maxRateE18: 7_312_499_999_999_999n }))).toEqual({
      price_moved: { rate: '0.0073125' },
    })
    expect(refused(() => ledger.borrow('user', '10', '30000'))).toMatchObject({ amount_out_of_range: { max: '3900' } })
    ledger.advance(61)
    expect(refused(() => ledger.borrow('user', '10', '100'))).toEqual({ price_out_of_date: { reason: 'stale' } })
    expect(ledger.has('user', 'BNB')).toBe(10n * E18)
  })

  test('accepts a rate that is exactly the highest', () => {
    // 3,900 of 30,000 are 13 %: 4.5 % × 13 ÷ 80.
    expect(ledger.borrow('user', '10', '3900', { maxRateE18: 7_312_500_000_000_000n }).rate).toBe('0.0073125')
  })

  /**
   * @attack S11 One order could take the whole pool, and then no account could pay enough to clear it.
   * @holds An order takes at most 20% of its pool's value at its opening, all orders of an account 40%.
   */
  test('takes at most a fifth of the pool, an account two fifths', () => {
    ledger.give('user', 'BNB', '100')
    const cap = (reason: string, max: string) => ({ amount_out_of_range: { max, reason } })
    expect(refused(() => ledger.borrow('user', '20', '6000.000000000000000001'))).toEqual(cap('order_cap', '6000'))
    ledger.borrow('user', '20', '6000')
    ledger.borrow('user', '20', '5999')
    expect(refused(() => ledger.borrow('user', '20', '10'))).toEqual(cap('account_cap', '1'))
    ledger.join('second')
    ledger.give('second', 'BNB', '20')
    expect(ledger.borrow('second', '20', '6000').status).toBe(2)
  })

  test('is one of at most 200 open orders of an account', () => {
    ledger.give('user', 'BNB', '100')
    const ids = Array.from({ length: 200 }, () => ledger.borrow('user', '0.1', '10').order_id)
    expect(refused(() => ledger.borrow('user', '0.1', '10'))).toEqual({ too_many_open: { max: 200 } })
    ledger.repay('user', ids[0] ?? '', 'all')
    expect(ledger.row(borrowers, 'USDT:user')?.open_orders).toBe(199)
    expect(ledger.borrow('user', '0.1', '10').status).toBe(2)
  })
})

describe('a retry', () => {
  test('reaches the writer, which has its response, while there is no price', async () => {
    const order = { order_id: 'order' }
    const handlers = stakeHandlers({
      store: { loan: async () => ({ id: 'order', user_id: 'user', collateral_asset: 'BNB', borrow_asset: 'USDT' }) },
      writer: { execute: async ({ key }: { key?: string }) => key === 'used' && order },
      clock: { now: () => START },
      moneyPrices: { price: async () => ({ state: 'stale', lastE18: undefined, time: undefined }) },
      parameters: { rules: async () => ledger.rules },
    } as unknown as StakeDependencies)
    const context = { user: { id: 'user' }, idempotencyKey: 'used' } as never
    const loan = { collateral_asset: 'BNB', borrow_asset: 'USDT', term_days: 7 } as const
    expect(await handlers.lend({ ...loan, collateral_amount: '1', borrow_amount: '10' }, context)).toBe(order)
    expect(await handlers.removeCollateral({ order_id: 'order', amount: '1' }, context)).toBe(order)
  })

  test('is refused without a price and without a stored response', () => {
    const { order_id: id } = ledger.borrow('user', '9', '3000')
    for (const state of ['one_source', 'stale', 'unknown'] as const) {
      ledger.prices = lostPrices(state)
      const noPrice = { price_out_of_date: { reason: state } }
      expect(refused(() => ledger.borrow('user', '1', '100'))).toEqual(noPrice)
      expect(refused(() => ledger.removeCollateral('user', id, '1'))).toEqual(noPrice)
    }
    ledger.prices = pricesBetween(ledger.now, units('590'), units('610'), 'apart')
    expect(refused(() => ledger.borrow('user', '1', '100'))).toEqual({ price_out_of_date: { reason: 'apart' } })
  })
})
