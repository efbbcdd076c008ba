import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coverShortfall, type LiquidationRules, liquidate, liquidationProfit } from './liquidation.ts'
import type { LoanPrices } from './loan.ts'
import { anyAmount, anyPrices, E18, LIMITS } from './testing/loans.ts'

const RULES: LiquidationRules = { ...LIMITS, bonusBps: 10_800n, overdueBonusBps: 10_500n }
const bnb: LoanPrices = { collateral: 600n * E18, borrowed: E18 }

describe('liquidate', () => {
  /** Source: the product rule in Python's `fractions.Fraction`, rounded once: received floor, paid ceil. */
  test.each<[string, bigint, bigint, LoanPrices, readonly [bigint, bigint, bigint, bigint, bigint]]>([
    [
      'at the limit',
      10n * E18,
      4_980n * E18,
      bnb,
      [10_800n, 4_980n * E18, 8_964_000_000_000_000_000n, 1_036_000_000_000_000_000n, 0n],
    ],
    [
      'when only overdue',
      10n * E18,
      3_000n * E18,
      bnb,
      [10_500n, 3_000n * E18, 5_250_000_000_000_000_000n, 4_750_000_000_000_000_000n, 0n],
    ],
    [
      'with less collateral than debt and bonus',
      10n * E18,
      5_700n * E18,
      bnb,
      [10_800n, 5_555_555_555_555_555_555_556n, 10n * E18, 0n, 144_444_444_444_444_444_444n],
    ],
    [
      'with less collateral than debt',
      10n * E18,
      7_000n * E18,
      bnb,
      [10_800n, 5_555_555_555_555_555_555_556n, 10n * E18, 0n, 1_444_444_444_444_444_444_444n],
    ],
    [
      'of USDT for borrowed BNB',
      6_000n * E18,
      9n * E18,
      { collateral: E18, borrowed: 600n * E18 },
      [10_800n, 9n * E18, 5_832n * E18, 168n * E18, 0n],
    ],
    [
      'of odd units at odd prices',
      123_456_789_012_345_678_901n,
      777_777_777_777_777_777_777n,
      { collateral: 2_963_000_000_000_123_456_789n, borrowed: 611_000_000_000_987_654_321n },
      [10_800n, 554_346_950_722_865_043_263n, 123_456_789_012_345_678_901n, 0n, 223_430_827_054_912_734_514n],
    ],
    ['of a single unit', 1n, 1n, bnb, [10_500n, 1n, 0n, 1n, 0n]],
  ])('%s', (_, collateral, debt, prices, [factorBps, paid, received, returned, shortfall]) => {
    expect(liquidate({ debt, collateral }, prices, RULES)).toEqual({ factorBps, paid, received, returned, shortfall })
  })

  test('loses no unit of debt or collateral', () => {
    fc.assert(
      fc.property(anyAmount, anyAmount, anyPrices, (debt, collateral, prices) => {
        const { paid, received, returned, shortfall } = liquidate({ debt, collateral }, prices, RULES)
        expect(paid + shortfall).toBe(debt)
        expect(received + returned).toBe(collateral)
        for (const each of [paid, received, returned, shortfall]) expect(each).toBeGreaterThanOrEqual(0n)
        if (shortfall > 0n) expect(returned).toBe(0n)
      }),
      { numRuns: 1_000 },
    )
  })

  test('never gives the liquidator more than the factor', () => {
    fc.assert(
      fc.property(anyAmount, anyAmount, anyPrices, (debt, collateral, prices) => {
        const { paid, received, factorBps } = liquidate({ debt, collateral }, prices, RULES)
        expect(received * prices.collateral * 10_000n).toBeLessThanOrEqual(paid * prices.borrowed * factorBps)
      }),
      { numRuns: 1_000 },
    )
  })
})

test('the profit is what the collateral is worth above the payment', () => {
  const at = liquidate({ debt: 4_980n * E18, collateral: 10n * E18 }, bnb, RULES)
  expect(liquidationProfit(at, bnb)).toBe(398_400_000_000_000_000_000n)
  expect(liquidationProfit({ ...at, received: 0n }, bnb)).toBe(-at.paid)
})

test('insurance pays what it has, and pledgers bear the rest', () => {
  expect(coverShortfall(10n, 25n)).toEqual({ insurance: 10n, pledgers: 0n })
  expect(coverShortfall(10n, 4n)).toEqual({ insurance: 4n, pledgers: 6n })
  expect(coverShortfall(0n, 0n)).toEqual({ insurance: 0n, pledgers: 0n })
})
