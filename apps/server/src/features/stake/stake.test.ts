import { refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import { amountOf } from '@clearwell/money/amount'
import { RAY } from '@clearwell/rules/borrow-index'
import { beforeEach, describe, expect, test } from 'vitest'
import { borrowers, LOAN_STATUS, lendingPools, loans } from '../../domain/lending/lending.tables.ts'
import { lendingCash, lendingReserve } from '../../domain/lending/lending-accounts.ts'
import { usableAt } from '../../domain/lending/loan-prices.ts'
import { lostPrices, pricesAt, pricesBetween } from '../../domain/lending/testing/known-prices.ts'
import { INSURANCE, REFERRAL, REWARDS, TREASURY } from '../../platform/ledger/accounts.ts'
import { breakers } from '../../platform/ledger/breaker.ts'
import { LendingLedger, START, units } from '../../testing/lending-ledger.ts'
import { quoteLoan } from './loan-quote.ts'
import { shareReserve } from './share-reserve.ts'
import { type StakeDependencies, stakeHandlers } from './stake.handlers.ts'

const E18 = 10n ** 18n
const DAY = 86_400

/** A pool of 30,000 USDT, so that 3,900 are less than a fifth. */
let ledger: LendingLedger
beforeEach(() => {
  ledger = new LendingLedger()
  ledger.join('pledger', 'user', 'other')
  ledger.give('pledger', 'USDT', '30000')
  ledger.give('user', 'BNB', '10')
  ledger.give('user', 'USDT', '500')
  ledger.pledge('pledger', '30000')
})

const statusOf = (orderId: string) => ledger.row(loans, orderId)?.status

/** The name of the refusal, and its data. */
function refused(act: () => unknown): unknown {
  const { refusal, data } = refusalOf(act)
  return { [refusal]: data }
}

describe('a pledge', () => {
  test('earns interest less the reserve', () => {
    const { order_id: id } = ledger.borrow('user', '10', '3900', { termDays: 180 })
    ledger.advance(146 * DAY)
    // 3,900 of 30,000 is a utilisation of 13 %: 4.5 % × 13 ÷ 80 = 0.73125 %. 3,900 × (e^(0.0073125 × 0.4) − 1) = 11.4242…
    const { interest_due: interest } = ledger.repay('user', id, '1')
    expect(Number(interest)).toBeCloseTo(3_900 * Math.expm1(0.0073125 * 0.4) - 1, 6)
    ledger.repay('user', id, interest)
    expect(Number(ledger.balance(lendingReserve('USDT'), 'USDT')) / 1e18).toBeCloseTo((Number(interest) + 1) / 10, 6)
    const { actual_income: income } = ledger.withdraw('pledger', '1')
    expect(Number(income)).toBeCloseTo((Number(interest) + 1) * 0.9, 6)
  })

  /**
   * @attack S10 A loan kept the rate of its moment, so a pledge of a day bought 180 days at half of the rate.
   * @holds All orders of a pool pay the rate that the pool has now, whenever they were opened.
   */
  test('lowers the rate of a loan only while it stays', () => {
    ledger.give('other', 'USDT', '90000')
    ledger.pledge('other', '90000')
    const cheap = ledger.borrow('user', '6', '2000')
    expect(ledger.borrow('user', '1', '100').rate).not.toBe(cheap.rate)
    ledger.withdraw('other', 'all')
    const dear = ledger.addCollateral('user', cheap.order_id, '0.1').rate
    expect(Number(dear)).toBeCloseTo((0.045 * (2_100 / 30_000)) / 0.8, 9)
    expect(Number(dear)).toBeGreaterThan(3 * Number(cheap.rate))
  })

  test('is withdrawn only as far as it is not lent', () => {
    ledger.borrow('user', '10', '3900')
    expect(refused(() => ledger.withdraw('pledger', 'all'))).toEqual({ exceeds_lending_pool: { max: '26100' } })
    ledger.withdraw('pledger', '26100')
    expect(ledger.balance(lendingCash('USDT'), 'USDT')).toBe(0n)
    expect(refused(() => ledger.withdraw('other', '1'))).toEqual({ balance_not_enough: {} })
  })

  test('needs an activated account, the least amount and the money', () => {
    ledger.give('stranger', 'USDT', '100')
    expect(refused(() => ledger.pledge('stranger', '10'))).toEqual({ not_activated: {} })
    expect(refused(() => ledger.pledge('user', '0.999999999999999999'))).toEqual({ amount_out_of_range: { min: '1' } })
    expect(refused(() => ledger.pledge('user', '500.000000000000000001'))).toEqual({ balance_not_enough: {} })
  })

  test('shows no income below zero because of rounding', () => {
    ledger.borrow('user', '10', '3900')
    ledger.advance(DAY)
    ledger.give('other', 'USDT', '100')
    expect(ledger.pledge('other', '100')).toMatchObject({ actual_income: '0' })
  })
})

describe('a loan', () => {
  test('moves collateral and money, and is repaid without dust', () => {
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
    expect(refused(() => ledger.repay('user', order.order_id, '1'))).toEqual({ conflict: {} })
    ledger.withdraw('pledger', 'all')
    expect(ledger.balance(lendingCash('USDT'), 'USDT')).toBeLessThanOrEqual(3n)
    expect(ledger.pool()).toMatchObject({ borrowed: 0n, debtShares: 0n, shares: 0n })
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
    ledger.advance(61)
    expect(refused(() => ledger.borrow('user', '10', '100'))).toEqual({ price_out_of_date: { reason: 'stale' } })
    expect(ledger.has('user', 'BNB')).toBe(10n * E18)
  })

  /**
   * @attack S11 One order could take the whole pool, and then no account could pay enough to clear it.
   * @holds An order takes at most 20 % of its pool's value at its opening, all orders of an account 40 %.
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

  test('returns collateral down to the initial limit, to its owner', () => {
    const { order_id: id } = ledger.borrow('user', '10', '3900')
    expect(refused(() => ledger.removeCollateral('user', id, '0.1'))).toEqual({ amount_out_of_range: { max: '0' } })
    ledger.repay('user', id, '390')
    expect(refused(() => ledger.removeCollateral('user', id, '1.000000000000000001'))).toEqual({
      amount_out_of_range: { max: '1' },
    })
    expect(ledger.removeCollateral('user', id, '1')).toMatchObject({ collateral_amount: '9', ltv: '0.65' })
    expect(refused(() => ledger.addCollateral('other', id, '1'))).toEqual({ not_found: {} })
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
    expect(ledger.repay('user', id, '100')).toMatchObject({ status: 1 })
  })
})

describe('the status of a loan', () => {
  let id: string
  beforeEach(() => {
    id = ledger.borrow('user', '9', '3510').order_id
  })

  test('is to be cleared at the limit, and normal when cured', () => {
    ledger.setPrice('469.879518072289156627')
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.normal)
    ledger.setPrice('469.879518072289156626')
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.toBeCleared)
    ledger.setPrice('469')
    expect(ledger.addCollateral('user', id, '1').status).toBe(LOAN_STATUS.normal)
  })

  /**
   * @attack S14 A wick of one exchange liquidated, because the one fresh source was the price.
   * @holds An order is to be cleared when it is over its limit at both prices, and without two sources nothing is judged.
   */
  test('needs both prices over the limit', () => {
    ledger.prices = pricesBetween(ledger.now, units('430'), units('470'), 'apart')
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.normal)
    expect(ledger.row(loans, id)?.warned).toBe(2)
    ledger.prices = lostPrices('one_source', units('100'))
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.normal)
    ledger.prices = pricesBetween(ledger.now, units('430'), units('469'), 'apart')
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.toBeCleared)
    // A recovery at the better price is one.
    ledger.prices = pricesBetween(ledger.now, units('460'), units('471'))
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.normal)
  })

  test('is to be cleared when due, which only repaying cures', () => {
    ledger.advance(30 * DAY)
    ledger.prices = lostPrices('unknown')
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.toBeCleared)
    ledger.setPrice('600')
    expect(ledger.addCollateral('user', id, '1').status).toBe(LOAN_STATUS.toBeCleared)
    expect(refused(() => ledger.removeCollateral('user', id, '1'))).toEqual({ conflict: {} })
    ledger.give('user', 'USDT', '100')
    expect(ledger.repay('user', id, '10').status).toBe(LOAN_STATUS.toBeCleared)
    expect(ledger.repay('user', id, 'all').status).toBe(LOAN_STATUS.completed)
  })

  test('ignores a stale price, and repaying works on one', () => {
    ledger.prices = pricesAt(ledger.now, units('1'))
    ledger.advance(61)
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.normal)
    expect(ledger.repay('user', id, '10')).toMatchObject({ status: 2, ltv: null })
    ledger.setPrice('1')
    ledger.judge(id)
    ledger.prices = lostPrices('stale')
    expect(ledger.repay('user', id, '10').status).toBe(LOAN_STATUS.toBeCleared)
  })

  test('warns at 75 and 80 %, and reminds three times', () => {
    const found = () => {
      const { warned, reminded } = ledger.row(loans, id)!
      return { warned, reminded, notices: new Set(ledger.notices().map(({ kind, key }) => `${kind} ${key}`)).size }
    }
    const judgeAt = (price: string) => {
      ledger.setPrice(price)
      ledger.judge(id)
    }
    judgeAt('520')
    expect(found()).toEqual({ warned: 1, reminded: 0, notices: 1 })
    judgeAt('600')
    expect(found().warned).toBe(1)
    judgeAt('487')
    expect(found()).toEqual({ warned: 2, reminded: 0, notices: 2 })
    for (const [hours, reminded] of [
      [72, 1],
      [24, 2],
      [1, 3],
    ] as const) {
      ledger.now = new Date(ledger.row(loans, id)!.repayment_time.getTime() - hours * 3_600_000)
      judgeAt('600')
      // Each reminder comes once, beside the two warnings.
      expect(found()).toMatchObject({ reminded, notices: 2 + reminded })
    }
  })

  /**
   * @attack R15 The owner of the pledges borrows his own pool and drives the rate of all others from 2 to 75 % unnoticed.
   * @holds The part above the kink moves by a tenth of its range an hour, and a borrower is notified when the rate has doubled.
   */
  test('notifies of a doubled rate, and of each further doubling', () => {
    const row = () => ledger.row(loans, id)!
    const openedE18 = row().opened_rate_e18
    expect(row().notify_rate_e18).toBe(2n * openedE18)
    ledger.withdraw('pledger', '22000')
    ledger.judge(id)
    expect(row()).toMatchObject({ is_announced: true, notify_rate_e18: 4n * openedE18 })
    const [notice] = ledger.notices()
    expect(notice).toMatchObject({ kind: 'loan_rate_doubled', key: `${id}:rate:${4n * openedE18}` })
    ledger.judge(id)
    expect(ledger.notices()).toEqual([notice])
    // 3,510 of 3,510: the curve says 79.5 %, and the rate moves there in ten hours.
    ledger.withdraw('pledger', '4490')
    const rateAfter = (hours: number) => {
      ledger.advance(hours * 3_600)
      return Number(ledger.addCollateral('user', id, '0.000000000000000001').rate)
    }
    expect(rateAfter(0)).toBeCloseTo(0.045, 3)
    expect(rateAfter(1)).toBeCloseTo(0.12, 2)
    expect(rateAfter(9)).toBeCloseTo(0.795, 2)
    expect(rateAfter(9)).toBeCloseTo(0.795, 9)
  })

  /**
   * @attack R08 A parameter change with a minute's notice made every order between the old and the new limit the operator's.
   * @holds Limits, bonus and least amounts of an open order are those of its opening.
   */
  test('is judged by the terms of the opening', () => {
    ledger.now = new Date(ledger.now.getTime() + 1_000)
    ledger.setPrice('500')
    // A later set with other limits exists, and new loans are under it.
    const strict = { ...ledger.rules, version: 2, limits: { ...ledger.rules.limits, liquidationBps: 7_000n } }
    Object.assign(ledger, { rules: strict })
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.normal)
  })
})

describe('a quote', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('is the loan that is then opened, to the unit (%i)', (seed) => {
    const collateral = amountOf(`${seed}.0${seed}7`, 'BNB')
    const borrowed = amountOf(`${10 + seed * 113}.0000${seed}`, 'USDT')
    ledger.give('user', 'BNB', '100')
    ledger.borrow('user', '1', '77')
    ledger.advance(seed * 977)
    ledger.setPrice(`${580 + seed * 7}.${seed}31`)
    const prices = usableAt(ledger.prices, ledger.now)!
    const poolRules = ledger.rules.pools.find(({ asset }) => asset === 'USDT')!
    const owed = units('77')
    const market = { poolRules, rules: ledger.rules, pool: ledger.pool(), owed, indexThenE27: RAY, now: ledger.now }
    const assets = { collateral_asset: 'BNB', borrow_asset: 'USDT' } as const
    const quoted = quoteLoan(market, { ...assets, collateral, borrow: borrowed, termDays: 30, prices })
    const opened = ledger.borrow('user', '1', '1', { collateral, borrow: borrowed })
    const { rate, ltv, liquidation_price, repayment_time } = quoted
    expect(opened).toMatchObject({ rate, ltv, liquidation_price, repayment_time })
    // A unit more than the quoted maximum is refused.
    const most = amountOf(quoted.max_borrow ?? '', 'USDT')
    const more = { asset: most.asset, units: most.units + 1n }
    expect(refused(() => ledger.borrow('user', '1', '1', { collateral, borrow: more }))).toHaveProperty(
      'amount_out_of_range',
    )
  })
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

describe('a warning', () => {
  test('is sent again only after the order was safe', () => {
    const { order_id: id } = ledger.borrow('user', '9', '3510')
    const round = (price: string) => {
      ledger.setPrice(price)
      ledger.judge(id)
      const { warned, warning_round } = ledger.row(loans, id)!
      return [warned, warning_round]
    }
    expect(round('520')).toEqual([1, 0])
    expect(round('590')).toEqual([1, 0])
    expect(round('520')).toEqual([1, 0])
    // 3,510 are 65 % of 9 BNB at 600.
    expect(round('601')).toEqual([0, 1])
    expect(round('520')).toEqual([1, 1])
  })
})

/**
 * @attack S19 The referral part of lending revenue went to an account that only a swap's own entry empties, and stayed there.
 * @holds The referral part of revenue that has no inviter goes to rewards.
 */
test('the reserve is shared out, with its referral part in rewards', () => {
  ledger.add(lendingReserve('USDT'), 'USDT', 101n)
  const shares = { rewards: 5_000n, referral: 2_000n, insurance: 1_000n, treasury: 2_000n }
  expect(ledger.execute(shareReserve(['USDT', 'BNB'], shares, 'step'))).toEqual({ shared: 1 })
  expect([REWARDS, REFERRAL, INSURANCE, TREASURY].map((account) => ledger.balance(account, 'USDT'))).toEqual([
    71n,
    0n,
    10n,
    20n,
  ])
  expect(ledger.execute(shareReserve(['USDT', 'BNB'], shares, 'next'))).toEqual({ shared: 0 })
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
