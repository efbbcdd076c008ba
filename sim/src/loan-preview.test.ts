import { RAY } from '@clearwell/rules/borrow-index'
import { newPool, reprice } from '@clearwell/rules/loan-pool'
import { loanItem } from '@clearwell/server/src/domain/lending/loan-item.ts'
import type { PoolRules } from '@clearwell/server/src/domain/lending/stake-config.ts'
import { quoteLoan } from '@clearwell/server/src/features/stake/loan-quote.ts'
import { poolAfterLoan } from '@clearwell/server/src/features/stake/open-loan.ts'
import { marketItem } from '@clearwell/server/src/features/stake/pool-items.ts'
import { previewCollateral } from '@clearwell/web/src/features/stake/collateral-preview.ts'
import { limitsOf, textOfE18 } from '@clearwell/web/src/features/stake/lending-figures.ts'
import { previewLoan } from '@clearwell/web/src/features/stake/loan-preview.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const E18 = 10n ** 18n
const LIMITS = { initialBps: 6_500n, warningBps: 7_500n, lastWarningBps: 8_000n, liquidationBps: 8_300n }
const units = (max: bigint) => fc.bigInt({ min: 1n, max })

const pools = fc.record({
  cash: units(10n ** 26n),
  borrowed: fc.bigInt({ min: 0n, max: 10n ** 26n }),
  kinkBps: fc.integer({ min: 1, max: 9_999 }),
  slopes: fc.tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 100_000 })),
  baseBps: fc.integer({ min: 0, max: 1_000 }),
  /** The part of the rate above the kink, which is still on its way. */
  aboveE18: fc.bigInt({ min: 0n, max: E18 }),
})
const wishes = fc.record({
  collateral: units(10n ** 24n),
  borrow: units(10n ** 24n),
  termDays: fc.constantFrom(7, 30, 90, 180),
  prices: fc.record({ collateral: units(10n ** 23n), borrowed: units(10n ** 23n) }),
  /** How much lower the worse source is, in parts of ten thousand. */
  apartBps: fc.bigInt({ min: 0n, max: 200n }),
  nowMs: fc.integer({ min: 1_700_000_000_000, max: 2_500_000_000_000 }),
})

test('the preview of a loan equals the quote', () => {
  const property = fc.property(pools, wishes, (pool, wish) => {
    // The form shows no terms of a loan that the pool cannot give.
    fc.pre(wish.borrow <= pool.cash)
    const { rules, state, now } = serverPool(pool, wish.nowMs)
    const prices = pricesOf(wish, now)
    const collateral = { asset: 'BNB', units: wish.collateral } as const
    const borrow = { asset: 'USDT', units: wish.borrow } as const
    const quote = quoteLoan(
      { poolRules: rules, rules: { limits: LIMITS, caps: OFFER.caps }, pool: state, owed: 0n, indexThenE27: RAY, now },
      { collateral, borrow, collateral_asset: 'BNB', borrow_asset: 'USDT', termDays: wish.termDays, prices },
    )
    const market = marketItem(rules, { pool: state, terms: TERMS }, OFFER)
    const seen = previewLoan(wish, { pool: market, sides: prices, nowMs: wish.nowMs })
    const text = (value: bigint | undefined) => (value === undefined ? null : textOfE18(value))
    expect({
      max_borrow: text(seen.maxBorrow),
      min_collateral: text(seen.minCollateral),
      rate: text(seen.rateE18),
      rate_target: text(seen.rateTargetE18),
      interest_last_30_days: '0',
      ltv: text(seen.ltvE18),
      liquidation_price: text(seen.liquidationPriceE18),
      interest_at_term: text(seen.interestAtTerm),
      repayment_time: seen.repaymentTime,
      price_time: now.toISOString(),
    }).toEqual(quote)
    expect(limitsOf(market)).toEqual({ initialBps: 6_500n, warningBps: 7_500n, liquidationBps: 8_300n })
  })
  fc.assert(property, { numRuns: 2_000 })
})

test('the preview of a loan equals the order that is opened', () => {
  const property = fc.property(pools, wishes, (pool, wish) => {
    fc.pre(wish.borrow <= pool.cash)
    const { rules, state, now } = serverPool(pool, wish.nowMs)
    const prices = pricesOf(wish, now)
    const market = marketItem(rules, { pool: state, terms: TERMS }, OFFER)
    const seen = previewLoan(wish, { pool: market, sides: prices, nowMs: wish.nowMs })
    const after = poolAfterLoan(state, wish.borrow, rules)
    const order = loanItem(orderOf(wish, seen.repaymentTime), {
      terms: { limits: LIMITS },
      pool: after.pool,
      prices,
      now,
      stop: undefined,
    })
    expect({
      rate: textOfE18(seen.rateE18),
      ltv: seen.ltvE18 === undefined ? null : textOfE18(seen.ltvE18),
      estimated_liquidation_time: seen.liquidationTime,
    }).toEqual({
      rate: order.rate,
      ltv: order.ltv,
      estimated_liquidation_time: order.estimated_liquidation_time,
    })
  })
  fc.assert(property, { numRuns: 500 })
})

test('the preview of more or less collateral equals the order after it', () => {
  const property = fc.property(
    pools,
    wishes,
    fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
    (pool, wish, change) => {
      fc.pre(wish.collateral + change > 0n)
      const { rules, state, now } = serverPool(pool, wish.nowMs)
      const market = marketItem(rules, { pool: state, terms: TERMS }, OFFER)
      const row = orderOf(wish, '2080-01-01T00:00:00.000Z')
      const later = new Date(now.getTime() + 86_400_000)
      const view = {
        terms: { limits: LIMITS },
        pool: state,
        prices: pricesOf(wish, later),
        now: later,
        stop: undefined,
      }
      const after = loanItem({ ...row, collateral: row.collateral + change }, view)
      expect(previewCollateral(loanItem(row, view), change, { pool: market, sides: view.prices })).toMatchObject({
        collateral: after.collateral_amount,
        ltv: after.ltv,
        liquidationPrice: after.liquidation_price,
      })
    },
  )
  fc.assert(property, { numRuns: 500 })
})

/** The terms of all loans in these tests. */
const OFFER: Parameters<typeof marketItem>[2] = {
  limits: LIMITS,
  collateral: ['BNB', 'USDT', 'ETH'],
  termsDays: [7, 30, 90, 180],
  caps: { openOrders: 200, orderBps: 2_000n, accountBps: 4_000n },
  price: { state: 'unknown', lastE18: undefined, time: undefined },
  safety: undefined,
}
const TERMS = { reserveBps: 1_000n, knownLoss: 0n, isKnown: true }

/** Two sources that agree, one of them a little lower. */
function pricesOf({ prices, apartBps }: Wish, time: Date) {
  const lower = { ...prices, collateral: prices.collateral - (prices.collateral * apartBps) / 10_000n }
  return { state: 'fresh', better: prices, worse: lower, mean: prices, time, goodUntil: time } as const
}

type Pool = typeof pools extends fc.Arbitrary<infer Value> ? Value : never
type Wish = typeof wishes extends fc.Arbitrary<infer Value> ? Value : never

/** A pool as the server knows it, with its rules. */
function serverPool({ cash, borrowed, kinkBps, slopes, baseBps, aboveE18 }: Pool, nowMs: number) {
  const fraction = (bps: number) => BigInt(bps) * 10n ** 14n
  const rules: PoolRules = {
    asset: 'USDT',
    curve: {
      baseE18: fraction(baseBps),
      kinkE18: fraction(kinkBps),
      slopeToKinkE18: fraction(slopes[0]),
      slopeAboveKinkE18: fraction(slopes[1]),
      hourlyStepBps: 1_000n,
    },
    reserveBps: 1_000n,
    minPledge: E18,
    minLoan: 10n * E18,
  }
  const debts = { borrowed, debtShares: borrowed, belowDebtE27: borrowed * RAY }
  const pool = { ...newPool(BigInt(Math.floor(nowMs / 1_000)), cash), ...debts }
  const state = reprice({ ...pool, rate: { ...pool.rate, aboveE18 } }, rules.curve)
  return { rules, state, now: new Date(nowMs) }
}

/** The order as it is stored right after its opening. */
function orderOf({ borrow, collateral, termDays, nowMs }: Wish, repaymentTime: string): Parameters<typeof loanItem>[0] {
  const opened = new Date(Math.floor(nowMs / 1_000) * 1_000)
  return {
    id: 'loan-1',
    user_id: 'user-1',
    status: 2,
    collateral_asset: 'BNB',
    collateral,
    borrow_asset: 'USDT',
    borrowed: borrow,
    principal: borrow,
    debt_shares: borrow,
    repaid: 0n,
    interest_paid: 0n,
    terms_version: 1,
    term_days: termDays,
    created_at: new Date(nowMs),
    repayment_time: new Date(repaymentTime),
    status_at: opened,
    clear_ratio: 0n,
    warn_ratio: null,
    recover_ratio: null,
    watch_until: opened,
    opened_rate_e18: 0n,
    notify_rate_e18: null,
    rate_reached_e18: null,
    is_part_cleared: false,
    warned: 0,
    reminded: 0,
    is_announced: true,
    warning_round: 0,
  }
}
