import { refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { isOpenLoan, loans } from '../../domain/lending/lending.tables.ts'
import { combinePrices } from '../../domain/lending/loan-prices.ts'
import { readKnownLoss } from '../../domain/lending/ratio-books.ts'
import { lostPrices, pricesBetween } from '../../domain/lending/testing/known-prices.ts'
import { INSURANCE } from '../../platform/ledger/accounts.ts'
import { priceOfUsdt } from '../../platform/prices/money-prices.ts'
import { LendingLedger, START, units } from '../../testing/lending-ledger.ts'

const RAY = 10n ** 27n
const E18 = 10n ** 18n

let ledger: LendingLedger
let id: string
beforeEach(() => {
  ledger = new LendingLedger()
  ledger.join('one', 'two', 'flash', 'borrower', 'liquidator')
  for (const user of ['one', 'two']) {
    ledger.give(user, 'USDT', '10000')
    ledger.pledge(user, '10000')
  }
  ledger.give('borrower', 'BNB', '10')
  ledger.give('flash', 'USDT', '1000000')
  ledger.give('liquidator', 'USDT', '1000000')
  id = ledger.borrow('borrower', '10', '3900').order_id
})

const loss = () => readKnownLoss(ledger, { pool: ledger.pool(), rules: ledger.rules, pairs, now: ledger.now })
const pairs = [{ collateral: 'BNB', borrowed: 'USDT' } as const].map((pair) => ({
  ...pair,
  get prices() {
    return ledger.prices
  },
}))

/** The amount that a pledger would get for the whole pledge. */
const worth = (user: string) => Number(ledger.withdraw(user, '1').total_pledged) + 1

/**
 * @attack S07 A pledger left at full value while an order was worth less than its debt, and those who stayed bore the loss.
 * @holds Who leaves after a loss is known pays the same part of it as who stays, before any job has run.
 */
test('a known loss meets a pledge that leaves before the liquidation', () => {
  ledger.setPrice('300')
  // 10 BNB at 300 ÷ 1.02 = 2,941.17…: of 3,900, 958.82… are lost. The leader has not judged the order.
  expect(Number(loss()) / 1e18).toBeCloseTo(958.823529, 5)
  const before = Number(ledger.withdraw('one', '9000').total_pledged) + 9_000
  expect(before).toBeCloseTo(10_000 - 958.823529 / 2, 5)
  ledger.judge(id)
  ledger.liquidate('liquidator', id)
  expect(loss()).toBe(0n)
  expect(worth('two')).toBeCloseTo(before, 5)
})

/**
 * @attack R04 A flash pledge around a known loss bought shares at the marked-down value and took part in insurance and recovery.
 * @holds Shares are bought at the value that no known loss lowers, so the pledge of a moment gains nothing.
 */
test('a pledge into a loss gains nothing from insurance or a recovery', () => {
  ledger.add(INSURANCE, 'USDT', units('20000'))
  ledger.setPrice('300')
  ledger.pledge('flash', '900000')
  ledger.judge(id)
  ledger.liquidate('liquidator', id)
  ledger.withdraw('flash', 'all')
  expect(ledger.has('flash', 'USDT')).toBeLessThanOrEqual(units('1000000'))
  expect(worth('two')).toBeGreaterThanOrEqual(9_999.999)
})

test('a recovery of the price gives a flash pledge nothing', () => {
  ledger.setPrice('300')
  ledger.pledge('flash', '900000')
  ledger.setPrice('600')
  ledger.withdraw('flash', 'all')
  expect(ledger.has('flash', 'USDT')).toBeLessThanOrEqual(units('1000000'))
})

test('collateral counts at 80% of the last price without one', () => {
  ledger.prices = lostPrices('stale', units('300'))
  // 10 × 300 × 0.8 ÷ 1.02 = 2,352.94…
  expect(Number(loss()) / 1e18).toBeCloseTo(3_900 - 2_352.941176, 5)
  expect(Number(ledger.withdraw('one', 'all').total_pledged)).toBe(0)
  // A usable price that has grown old counts the same.
  ledger.setPrice('300')
  ledger.advance(61)
  expect(Number(loss()) / 1e18).toBeCloseTo(3_900 - 2_352.941176, 3)
})

/**
 * @attack A82 A pledger left at 80% of the last price while the product had none, and a source of ours showed a deeper fall.
 * @holds Collateral counts at the smaller of 80% of the last price and the lowest fresh reading of any single source.
 */
test('a single lower reading counts while money has no price', () => {
  // 10 × 200 ÷ 1.02 = 1,960.78…: under 80 % of 300.
  ledger.prices = lostPrices('one_source', units('300'), units('200'))
  expect(Number(loss()) / 1e18).toBeCloseTo(3_900 - 1_960.784314, 5)
  // 80 % of 300 is under 250, and under any higher reading.
  for (const reading of ['250', '900']) {
    ledger.prices = lostPrices('unknown', units('300'), units(reading))
    expect(Number(loss()) / 1e18).toBeCloseTo(3_900 - 2_352.941176, 5)
  }
  // One that contradicts another: the lower of both counts, and no price was ever known without a last one.
  ledger.prices = combinePrices(contradiction('200', '900'), priceOfUsdt(ledger.now))
  expect(Number(loss()) / 1e18).toBeCloseTo(3_900 - 1_960.784314, 5)
  ledger.prices = lostPrices('one_source', undefined, units('200'))
  expect(refusalOf(() => ledger.withdraw('one', '1')).refusal).toBe('price_out_of_date')
})

test('a higher reading of the borrowed asset counts too', () => {
  const bnb = { state: 'fresh', ...sides('600'), time: ledger.now, goodUntil: ledger.now } as const
  ledger.prices = combinePrices(bnb, { ...contradiction('1', '3'), lastE18: units('1') })
  // 600 ÷ 3 a unit: under 80 % of 600.
  expect(Number(loss()) / 1e18).toBeCloseTo(3_900 - 1_960.784314, 5)
})

test('leaving while one source shows the fall gains nothing over waiting', () => {
  const fall = (leaves: boolean) => {
    const market = new LendingLedger()
    market.join('one', 'two', 'borrower', 'liquidator')
    for (const [user, asset] of [
      ['one', 'USDT'],
      ['two', 'USDT'],
      ['liquidator', 'USDT'],
      ['borrower', 'BNB'],
    ] as const)
      market.give(user, asset, '10000')
    for (const user of ['one', 'two']) market.pledge(user, '10000')
    const { order_id: order } = market.borrow('borrower', '10', '3900')
    market.prices = lostPrices('unknown', units('600'), units('200'))
    if (leaves) market.withdraw('one', '7000')
    market.setPrice('200')
    market.judge(order)
    market.liquidate('liquidator', order)
    market.withdraw('one', 'all')
    return market.has('one', 'USDT')
  }
  expect(fall(true)).toBeLessThanOrEqual(fall(false))
})

const sides = (price: string) => ({ lowE18: units(price), highE18: units(price), meanE18: units(price) })
const contradiction = (low: string, high: string) =>
  ({
    state: 'unknown',
    reading: { lowE18: units(low), highE18: units(high) },
    lastE18: units('300'),
    time: START,
  }) as const

/**
 * @attack A81 A pledger left at the mean of two prices while one source lagged behind a crash, and those who stayed paid the rest.
 * @holds A known loss counts collateral at the worse of the two prices, which everyone can see.
 */
test('a known loss counts the worse price while sources are apart', () => {
  ledger.prices = pricesBetween(ledger.now, units('300'), units('320'), 'apart')
  // 10 × 300 ÷ 1.02 = 2,941.17…
  expect(Number(loss()) / 1e18).toBeCloseTo(3_900 - 2_941.176471, 5)
})

test('a pool whose pair never had a price pays nothing by guess', () => {
  ledger.prices = lostPrices('unknown')
  expect(refusalOf(() => ledger.withdraw('one', '1'))).toEqual({
    refusal: 'price_out_of_date',
    data: { reason: 'unknown' },
  })
  const empty = new LendingLedger()
  empty.join('one')
  empty.give('one', 'USDT', '5')
  empty.prices = lostPrices('unknown')
  empty.pledge('one', '5')
  expect(empty.withdraw('one', 'all').total_pledged).toBe('0')
})

test('at value zero no pledge is taken', () => {
  const poor = new LendingLedger()
  poor.join('one', 'borrower', 'second', 'third')
  poor.give('one', 'USDT', '1000')
  poor.pledge('one', '1000')
  const owners = ['borrower', 'second', 'third']
  for (const owner of owners) {
    poor.give(owner, 'BNB', '10')
    poor.borrow(owner, '10', '200')
  }
  poor.withdraw('one', '400')
  poor.prices = lostPrices('unknown', 0n)
  expect(refusalOf(() => poor.withdraw('one', '1')).refusal).toBe('balance_not_enough')
  poor.give('second', 'USDT', '100')
  expect(refusalOf(() => poor.pledge('second', '100'))).toEqual({
    refusal: 'trading_suspended',
    data: { reason: 'pool_lost' },
  })
  // Its owner repays: the value is back.
  for (const owner of owners) {
    poor.give(owner, 'USDT', '100')
    const order = poor.rows(loans).find((row) => row.user_id === owner)
    poor.repay(owner, order?.id ?? '', 'all')
  }
  expect(Number(poor.withdraw('one', 'all').total_pledged)).toBe(0)
})

const anyBook = fc.array(
  fc.record({
    collateral: fc.integer({ min: 1, max: 9_999 }),
    percent: fc.integer({ min: 1, max: 65 }),
    act: fc.constantFrom('none', 'repay', 'add', 'all'),
    seconds: fc.integer({ min: 0, max: 86_400 }),
  }),
  { minLength: 1, maxLength: 60 },
)

test('the index knows the same loss as the sum over all orders', () => {
  fc.assert(
    fc.property(anyBook, fc.integer({ min: 1, max: 900 }), (book, price) => {
      const random = new LendingLedger()
      random.join('one', 'user')
      random.give('one', 'USDT', '1000000000')
      random.pledge('one', '1000000000')
      for (const { collateral, percent, act, seconds } of book) {
        random.setPrice('600')
        const amount = String((collateral * 6 * percent) / 100 + 10)
        // More than the order takes: the texts of fractions are not exact.
        random.give('user', 'BNB', String(collateral / 100 + 2))
        random.give('user', 'USDT', '100')
        const { order_id: order } = random.borrow('user', String(collateral / 100 + 1), amount)
        random.advance(seconds)
        if (act === 'repay' && Number(amount) > 21) random.repay('user', order, '10.5')
        if (act === 'add') random.addCollateral('user', order, '0.5')
        if (act === 'all') random.repay('user', order, 'all')
      }
      random.setPrice(String(price))
      const pool = random.pool()
      const open = random.rows(loans).filter(isOpenLoan)
      expect(open.reduce((sum, row) => sum + row.debt_shares, 0n)).toBe(pool.debtShares)
      // In units of 10^-45 ÷ 1.02, exact.
      const scale = RAY * E18 * 10_200n
      const sum = open.reduce((total, { collateral, debt_shares: shares }) => {
        const lost = shares * pool.indexE27 * E18 * 10_200n - collateral * units(String(price)) * RAY * 10_000n
        return lost > 0n ? total + lost : total
      }, 0n)
      const question = { pool, rules: random.rules, pairs: [{ ...pairs[0]!, prices: random.prices }], now: random.now }
      expect(readKnownLoss(random, question)).toBe((sum + scale - 1n) / scale)
    }),
    { numRuns: 100 },
  )
})
