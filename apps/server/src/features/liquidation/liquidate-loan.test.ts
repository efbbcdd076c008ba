import { refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, describe, expect, test } from 'vitest'
import { borrowers, LOAN_STATUS, lendingLosses, loans } from '../../domain/lending/lending.tables.ts'
import { lostPrices, pricesBetween } from '../../domain/lending/testing/known-prices.ts'
import { INSURANCE, userAccount } from '../../platform/ledger/accounts.ts'
import { breakers } from '../../platform/ledger/breaker.ts'
import { LendingLedger, units } from '../../testing/lending-ledger.ts'
import { liquidateLoan } from './liquidate-loan.ts'
import { liquidations } from './liquidation.tables.ts'

const DAY = 86_400

let ledger: LendingLedger
let id: string
/** A loan of 3,000 USDT against 10 BNB. */
beforeEach(() => {
  ledger = new LendingLedger()
  ledger.join('pledger', 'borrower', 'first', 'second')
  ledger.give('pledger', 'USDT', '100000')
  ledger.pledge('pledger', '100000')
  ledger.give('borrower', 'BNB', '10')
  for (const user of ['first', 'second']) ledger.give(user, 'USDT', '5000')
  id = ledger.borrow('borrower', '10', '3000').order_id
})

/** The name of the refusal, and its data. */
function refused(act: () => unknown): unknown {
  const { refusal, data } = refusalOf(act)
  return { [refusal]: data }
}

function fallTo(price: string): void {
  ledger.setPrice(price)
  ledger.judge(id)
}

const statusOf = () => ledger.row(loans, id)?.status
const receipts = () => ledger.rows(liquidations)

describe('a part', () => {
  test('is at most half of the debt below 90%', () => {
    fallTo('360')
    expect(ledger.liquidate('first', id)).toMatchObject({
      debt_ended: '1500',
      paid: '1500',
      received: '4.5',
      profit: '120',
      remaining_debt: '1500',
      // 1,500 of 5.5 × 360 are 75.76 %.
      status: 2,
    })
    expect([ledger.has('borrower', 'BNB'), ledger.has('borrower', 'BNB', 'collateral')]).toEqual([0n, units('5.5')])
    expect(refused(() => ledger.liquidate('second', id))).toEqual({ conflict: { reason: 'not_to_be_cleared' } })
    expect(ledger.row(loans, id)).toMatchObject({ is_part_cleared: true, is_announced: false })
  })

  test('notifies the borrower once, also when he repays afterwards', () => {
    fallTo('360')
    ledger.liquidate('first', id)
    ledger.judge(id)
    const parts = () => ledger.notices().filter(({ kind }) => kind === 'loan_part_liquidated')
    expect(parts()).toMatchObject([{ userId: 'borrower', params: { order_id: id, borrowed: '1500' } }])
    ledger.repay('borrower', id, '100')
    ledger.judge(id)
    expect(parts()).toHaveLength(1)
  })

  test('has bounds that the refusal names', () => {
    fallTo('360')
    const bounds = (reason: string) => ({ amount_out_of_range: { min: '10', max: '1500', reason } })
    expect(refused(() => ledger.liquidate('first', id, { amount: '9.99' }))).toEqual(bounds('least_part'))
    expect(refused(() => ledger.liquidate('first', id, { amount: '1500.01' }))).toEqual(bounds('half'))
    expect(refused(() => ledger.liquidate('first', id, { amount: '9999' }))).toEqual(bounds('half'))
    expect(ledger.liquidate('first', id, { amount: '10' })).toMatchObject({ received: '0.03', status: 0 })
    expect(ledger.liquidate('first', id, { amount: '10' })).toMatchObject({ remaining_debt: '2980' })
    expect(receipts().map(({ order_id: order }) => order)).toEqual([id, id])
  })

  /**
   * @attack R12 From 92% on, halves repeated in one second paid nearly everything, and a part of an overdue order cured its term.
   * @holds From 90% on the whole debt may be cleared; a part of an overdue order leaves it to be cleared.
   */
  test('of an overdue order leaves it to be cleared', { tags: ['§1.10'] }, () => {
    ledger.advance(30 * DAY)
    fallTo('600')
    expect(ledger.liquidate('first', id, { amount: '1000' })).toMatchObject({ received: '1.75', status: 0 })
    ledger.setPrice('6000')
    ledger.judge(id)
    expect(statusOf()).toBe(LOAN_STATUS.toBeCleared)
    expect(ledger.liquidate('first', id)).toMatchObject({ status: -1, remaining_debt: '0' })
  })

  /**
   * @attack R05 Orders of the least loan could not be cleared below 95%: a half is under the least payment.
   * @holds A debt under four least loans is cleared in one payment.
   */
  test('of a small order is all of it', () => {
    ledger.give('borrower', 'BNB', '1')
    const small = ledger.borrow('borrower', '0.1', '10').order_id
    ledger.setPrice('119')
    ledger.judge(small)
    expect(ledger.liquidate('first', small)).toMatchObject({ debt_ended: '10', status: -1 })
  })
})

test('from 90% on the whole debt is cleared', () => {
  fallTo('330')
  expect(ledger.liquidate('first', id)).toMatchObject({ paid: '3000', received: '9.818181818181818181', status: -1 })
  expect(ledger.has('borrower', 'BNB')).toBe(units('0.181818181818181819'))
  expect(refused(() => ledger.liquidate('second', id))).toEqual({ conflict: { reason: 'already_cleared' } })
  expect(ledger.has('second', 'USDT')).toBe(units('5000'))
})

test('a part leaves the order open, and the whole ends it', () => {
  const openOrders = () => ledger.row(borrowers, 'USDT:borrower')?.open_orders
  fallTo('360')
  ledger.liquidate('first', id)
  expect(openOrders()).toBe(1)
  // The warnings that were sent stay sent: the borrower did not change the order.
  expect(ledger.row(loans, id)).toMatchObject({ warned: 2, warning_round: 0 })
  fallTo('290')
  ledger.liquidate('first', id)
  expect(openOrders()).toBe(0)
  expect(ledger.row(loans, id)).toMatchObject({ status: LOAN_STATUS.liquidated, is_announced: false })
  // The collateral covered all of it.
  expect(ledger.rows(lendingLosses)).toEqual([])
})

test('none is liquidated while trading is suspended', () => {
  fallTo('330')
  ledger.put(breakers, { id: 'solvency', stopped_at: ledger.now, reason: 'insolvent', detail: 'a test' })
  expect(refused(() => ledger.liquidate('first', id))).toEqual({ trading_suspended: { reason: 'insolvent' } })
})

test('an order is liquidated only after it became to be cleared', () => {
  ledger.setPrice('330')
  expect(refused(() => ledger.liquidate('first', id))).toEqual({ conflict: { reason: 'not_to_be_cleared' } })
  ledger.judge(id)
  ledger.setPrice('361.45')
  expect(refused(() => ledger.liquidate('first', id))).toEqual({ conflict: { reason: 'not_to_be_cleared' } })
  ledger.setPrice('361.44')
  expect(ledger.liquidate('first', id).status).toBe(2)
})

/**
 * @attack S06 The second account of a borrower cleared his order at 97%, and insurance and pledgers paid the bonus.
 * @holds While the collateral covers the debt 1.02 times it is paid in full; above, the gain is at most 2% of the collateral.
 */
test.each([
  ['309.28', 0],
  ['306.1', 0],
  ['300', 0.02],
  ['270', 0.02],
])('clearing oneself at %s gains at most 2%%', (price, share) => {
  ledger.add(INSURANCE, 'USDT', units('100'))
  fallTo(price)
  const { paid, received } = ledger.liquidate('first', id)
  const lost = receipts().reduce((sum, row) => sum + row.paid_by_insurance + row.lost_by_pledgers, 0n)
  const worth = 10 * Number(price)
  // Compared with repaying: the debt less the payment, as all collateral is back.
  const back = Number(received) + Number(ledger.has('borrower', 'BNB')) / 1e18
  expect(back).toBeCloseTo(10, 12)
  const gain = Math.min(3_000, worth) - Number(paid)
  expect(gain).toBeLessThanOrEqual(share * worth + 1e-9)
  if (share === 0) expect(lost).toBe(0n)
})

test.each([
  ['0', '0', '58.823529411764705882'],
  ['50', '50', '8.823529411764705882'],
  ['1000', '58.823529411764705882', '0'],
])('of a loss, insurance of %s pays %s, pledgers %s', (insurance, paidByInsurance, lost) => {
  ledger.add(INSURANCE, 'USDT', units(insurance))
  fallTo('300')
  // 10 BNB are worth 3,000: the liquidator pays 3,000 ÷ 1.02.
  expect(ledger.liquidate('first', id)).toMatchObject({
    debt_ended: '3000',
    paid: '2941.176470588235294118',
    received: '10',
  })
  expect(receipts()[0]).toMatchObject({
    paid_by_insurance: units(paidByInsurance),
    lost_by_pledgers: units(lost),
    returned: 0n,
  })
})

test('each part of a loss meets insurance first', () => {
  ledger.add(INSURANCE, 'USDT', units('20'))
  fallTo('300')
  ledger.liquidate('first', id, { amount: '1000' })
  ledger.liquidate('second', id)
  const [one, other] = receipts()
  expect(one?.paid_by_insurance).toBe(19_607_843_137_254_901_960n)
  expect(one?.lost_by_pledgers).toBe(0n)
  expect(other?.paid_by_insurance).toBe(units('20') - 19_607_843_137_254_901_960n)
  expect(Number(other?.lost_by_pledgers) / 1e18).toBeCloseTo(58.8235 - 20, 3)
})

/**
 * @attack R13 The crash is when sources part: with more than 2% no clearing, and at 2% a true ratio of 81% was cleared.
 * @holds Clearing needs both prices over the limit, uses their mean, and works while sources are apart.
 */
test('two prices over the limit clear by their mean', () => {
  ledger.prices = pricesBetween(ledger.now, units('340'), units('380'), 'apart')
  ledger.judge(id)
  expect(statusOf()).toBe(LOAN_STATUS.normal)
  ledger.prices = pricesBetween(ledger.now, units('340'), units('360'), 'apart')
  ledger.judge(id)
  expect(ledger.liquidate('first', id, { amount: '1000' }).received).toBe('3.085714285714285714')
  expect(receipts()[0]).toMatchObject({ collateral_price: units('350'), collateral_high: units('360') })
})

test('rejects a missing price, a passed limit and the borrower', () => {
  fallTo('360')
  for (const state of ['one_source', 'stale', 'unknown'] as const) {
    const { prices } = ledger
    ledger.prices = lostPrices(state, units('360'))
    expect(refused(() => ledger.liquidate('first', id))).toEqual({ price_out_of_date: { reason: state } })
    ledger.prices = prices
  }
  expect(refused(() => ledger.liquidate('first', id, { maxDebt: '2999.99' }))).toEqual({
    price_moved: { total_debt: '3000' },
  })
  expect(refused(() => ledger.liquidate('first', id, { minReceived: '4.51' }))).toEqual({
    price_moved: { received: '4.5' },
  })
  expect(refused(() => ledger.liquidate('borrower', id))).toEqual({ not_found: {} })
  expect(refused(() => ledger.liquidate('stranger', id))).toEqual({ not_activated: {} })
  ledger.add(userAccount('first', 'available'), 'USDT', -units('3500.01'))
  expect(refused(() => ledger.liquidate('first', id))).toEqual({ balance_not_enough: {} })
  expect(receipts()).toEqual([])
  ledger.advance(61)
  expect(refused(() => ledger.liquidate('second', id))).toEqual({ price_out_of_date: { reason: 'stale' } })
})

test('accepts a debt, a payment and a balance at their limits', () => {
  fallTo('360')
  ledger.add(userAccount('first', 'available'), 'USDT', -units('3500'))
  const done = ledger.liquidate('first', id, { maxDebt: '3000', minReceived: '4.5' })
  expect(done).toMatchObject({ paid: '1500', received: '4.5' })
  expect([ledger.has('first', 'USDT'), ledger.has('first', 'BNB')]).toEqual([0n, units('4.5')])
})

test('a repayment that arrives first wins', () => {
  fallTo('330')
  ledger.give('borrower', 'USDT', '1')
  ledger.repay('borrower', id, 'all')
  expect(refused(() => ledger.liquidate('first', id))).toEqual({ conflict: { reason: 'already_cleared' } })
})

test('binds its key to amount and limits in a lasting form', () => {
  const by = { userId: 'first', orderId: 'order', borrowerId: 'borrower', key: 'key', prices: ledger.prices }
  const assets = { collateral: 'BNB', borrowed: 'USDT' } as const
  const bound = (amount: bigint | 'most', maxDebt?: bigint, minReceived?: bigint) =>
    liquidateLoan(ledger.rules, { ...by, assets, amount, maxDebt, minReceived })
  expect(bound('most')).toMatchObject({ kind: 'liquidate', owner: 'first', key: 'key' })
  expect(bound('most').payload).toEqual({ orderId: 'order', amount: 'most', maxDebt: null, minReceived: null })
  expect(bound(units('5'), units('10'), units('0.1')).payload).toEqual({
    orderId: 'order',
    amount: '5',
    maxDebt: '10',
    minReceived: '0.1',
  })
})
