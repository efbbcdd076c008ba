import { maxUnits } from '@clearwell/money/min-max'
import { utilisation } from '@clearwell/rules/interest'
import { isLiquidatable } from '@clearwell/rules/loan'
import type { PoolRules } from '@clearwell/server/src/config/stake-config.ts'
import { quoteLoan } from '@clearwell/server/src/features/stake/loan-quote.ts'
import { marketItem } from '@clearwell/server/src/features/stake/pool-items.ts'
import { loanItem } from '@clearwell/server/src/platform/lending/loan-item.ts'
import { previewCollateral } from '@clearwell/web/src/features/stake/collateral-preview.ts'
import { limitsOf, previewLoan, textOfE18 } from '@clearwell/web/src/features/stake/loan-preview.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const E18 = 10n ** 18n
const LIMITS = { initialBps: 6_500n, warningBps: 7_500n, lastWarningBps: 8_000n, liquidationBps: 8_300n }
const units = (max: bigint) => fc.bigInt({ min: 1n, max })

const pools = fc.record({
  cash: units(10n ** 26n),
  borrowed: fc.bigInt({ min: 0n, max: 10n ** 26n }),
  /** The highest utilisation of the last day. */
  rememberedE18: fc.bigInt({ min: 0n, max: E18 }),
  kinkBps: fc.integer({ min: 1, max: 9_999 }),
  slopes: fc.tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 100_000 })),
  baseBps: fc.integer({ min: 0, max: 1_000 }),
})
const wishes = fc.record({
  collateral: units(10n ** 24n),
  borrow: units(10n ** 24n),
  termDays: fc.constantFrom(7, 30, 90, 180),
  prices: fc.record({ collateral: units(10n ** 23n), borrowed: units(10n ** 23n) }),
  nowMs: fc.integer({ min: 1_700_000_000_000, max: 2_500_000_000_000 }),
})

test('the preview of a loan equals the quote and the opened order', () => {
  const property = fc.property(pools, wishes, (pool, wish) => {
    const { rules, state, now } = serverPool(pool, wish.nowMs)
    const prices = { ...wish.prices, time: now, goodUntil: now }
    const collateral = { asset: 'BNB', units: wish.collateral } as const
    const borrow = { asset: 'USDT', units: wish.borrow } as const
    const quote = quoteLoan(
      { pool: rules, limits: LIMITS, state, now },
      { collateral, borrow, collateral_asset: 'BNB', borrow_asset: 'USDT', termDays: wish.termDays, prices },
    )
    const market = marketItem(rules, state, OFFER)
    const seen = previewLoan(wish, { pool: market, prices: wish.prices, nowMs: wish.nowMs })
    const text = (value: bigint | undefined) => (value === undefined ? null : textOfE18(value))
    expect({
      max_borrow: text(seen.maxBorrow),
      min_collateral: text(seen.minCollateral),
      rate: text(seen.rateE18),
      ltv: text(seen.ltvE18),
      liquidation_price: text(seen.liquidationPriceE18),
      interest_at_term: text(seen.interestAtTerm),
      repayment_time: seen.repaymentTime,
      price_time: now.toISOString(),
    }).toEqual(quote)
    const order = loanItem(orderOf(wish, { rateE18: seen.rateE18, repaymentTime: seen.repaymentTime }), {
      limits: LIMITS,
      prices: wish.prices,
      now,
    })
    expect({
      ltv: text(seen.ltvE18),
      liquidation_price: text(seen.liquidationPriceE18),
      estimated_liquidation_time: seen.liquidationTime,
    }).toEqual({
      ltv: order.ltv,
      liquidation_price: order.liquidation_price,
      estimated_liquidation_time: order.estimated_liquidation_time,
    })
    expect(seen.health === 'to_be_cleared').toBe(isLiquidatable(LIMITS, wish.borrow, wish.collateral, wish.prices))
    expect(limitsOf(market)).toEqual({ initialBps: 6_500n, warningBps: 7_500n, liquidationBps: 8_300n })
  })
  fc.assert(property, { numRuns: 2_000 })
})

test('the preview of more or less collateral equals the order after it', () => {
  const property = fc.property(
    pools,
    wishes,
    fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
    (pool, wish, change) => {
      fc.pre(wish.collateral + change > 0n)
      const { rules, state, now } = serverPool(pool, wish.nowMs)
      const market = marketItem(rules, state, OFFER)
      const row = orderOf(wish, { rateE18: 10n ** 16n, repaymentTime: '2080-01-01T00:00:00.000Z' })
      const later = new Date(now.getTime() + 86_400_000)
      const view = { limits: LIMITS, prices: wish.prices, now: later }
      const after = loanItem({ ...row, collateral: row.collateral + change }, view)
      expect(previewCollateral(loanItem(row, view), change, { pool: market, prices: wish.prices })).toMatchObject({
        collateral: after.collateral_amount,
        ltv: after.ltv,
        liquidationPrice: after.liquidation_price,
      })
    },
  )
  fc.assert(property, { numRuns: 500 })
})

/** The terms of all loans in these tests. */
const OFFER = {
  limits: LIMITS,
  collateral: ['BNB', 'USDT', 'ETH'],
  termsDays: [7, 30, 90, 180],
  priceE18: E18,
  safety: undefined,
} as const

type Pool = typeof pools extends fc.Arbitrary<infer Value> ? Value : never
type Wish = typeof wishes extends fc.Arbitrary<infer Value> ? Value : never

/** A pool as the server knows it, with its rules. */
function serverPool({ cash, borrowed, rememberedE18, kinkBps, slopes, baseBps }: Pool, nowMs: number) {
  const fraction = (bps: number) => BigInt(bps) * 10n ** 14n
  const rules: PoolRules = {
    asset: 'USDT',
    curve: {
      baseE18: fraction(baseBps),
      kinkE18: fraction(kinkBps),
      slopeToKinkE18: fraction(slopes[0]),
      slopeAboveKinkE18: fraction(slopes[1]),
    },
    reserveBps: 1_000n,
    minPledge: E18,
    minLoan: 10n * E18,
  }
  const pool = { cash, borrowed, rateSum: 0n, accrued: 0n, accruedAt: 0n, shares: 0n }
  const state = { pool, rememberedE18: maxUnits(rememberedE18, utilisation(pool)) }
  return { rules, state, now: new Date(nowMs) }
}

/** The order as it is stored right after its opening. */
function orderOf(
  { borrow, collateral, termDays, nowMs }: Wish,
  { rateE18, repaymentTime }: { readonly rateE18: bigint; readonly repaymentTime: string },
): Parameters<typeof loanItem>[0] {
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
    rate_e18: rateE18,
    accrued: 0n,
    accrued_at: opened,
    term_days: termDays,
    created_at: new Date(nowMs),
    repayment_time: new Date(repaymentTime),
    status_at: opened,
    watch_price: 0n,
    watch_until: opened,
    recover_price: 0n,
    warning_round: 0,
    limits_version: 0,
    warned: 0,
    reminded: 0,
    is_announced: true,
  }
}
