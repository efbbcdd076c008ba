import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasReached, isWithin, largestLoan, leastCollateral, liquidationPrice, loanToValue } from './loan.ts'
import { anyAmount, anyPrices, E18, LIMITS } from './testing/loans.ts'

const runs = { numRuns: 1_000 }
const usdt = { collateral: 600n * E18, borrowed: E18 }

describe('loan-to-value', () => {
  test('is rounded up, and undefined without collateral', () => {
    expect(loanToValue(3_900n * E18, 10n * E18, usdt)).toBe(650_000_000_000_000_000n)
    expect(loanToValue(1n, 3n, { collateral: 1n, borrowed: 1n })).toBe(333_333_333_333_333_334n)
    expect(loanToValue(1n, 0n, usdt)).toBeUndefined()
  })

  test('the largest loan is within the limit, one unit more is not', () => {
    fc.assert(
      fc.property(anyAmount, anyPrices, (collateral, prices) => {
        const most = largestLoan(collateral, prices, LIMITS)
        expect(isWithin(LIMITS.initialBps, most, collateral, prices)).toBe(true)
        expect(isWithin(LIMITS.initialBps, most + 1n, collateral, prices)).toBe(false)
      }),
      runs,
    )
  })

  test('the least collateral is within the limit, one unit less is not', () => {
    fc.assert(
      fc.property(anyAmount, anyPrices, (debt, prices) => {
        const least = leastCollateral(debt, prices, LIMITS)
        expect(isWithin(LIMITS.initialBps, debt, least, prices)).toBe(true)
        expect(isWithin(LIMITS.initialBps, debt, least - 1n, prices)).toBe(false)
      }),
      runs,
    )
  })
})

describe('reaching the liquidation limit', () => {
  test('has a price that is rounded down, and none without collateral', () => {
    // 3,900 ÷ (10 × 0.83) = 469.879518…
    expect(liquidationPrice(3_900n * E18, 10n * E18, LIMITS)).toBe(469_879_518_072_289_156_626n)
    expect(liquidationPrice(3_900n * E18, 0n, LIMITS)).toBeUndefined()
  })

  test('is exactly at 83%', () => {
    expect(hasReached(LIMITS.liquidationBps, 4_980n * E18, 10n * E18, usdt)).toBe(true)
    expect(hasReached(LIMITS.liquidationBps, 4_980n * E18 - 1n, 10n * E18, usdt)).toBe(false)
  })

  test('happens at the liquidation price and not above', () => {
    fc.assert(
      fc.property(anyAmount, anyAmount, (debt, collateral) => {
        const price = liquidationPrice(debt, collateral, LIMITS)!
        const at = (collateralPrice: bigint) => ({ collateral: collateralPrice, borrowed: E18 })
        expect(hasReached(LIMITS.liquidationBps, debt, collateral, at(price))).toBe(true)
        expect(hasReached(LIMITS.liquidationBps, debt, collateral, at(price + 1n))).toBe(false)
      }),
      runs,
    )
  })
})
