import { minUnits } from '@clearwell/money/min-max'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ACCRUED_PER_UNIT } from './interest.ts'
import {
  accruedAt,
  interestDue,
  isLiquidatable,
  isWithin,
  largestLoan,
  leastCollateral,
  liquidationPrice,
  loanToValue,
  repay,
  timeOfLiquidation,
  totalDebt,
} from './loan.ts'
import { anyAmount, anyDebt, anyPrices, anySeconds, E18, LIMITS } from './testing/loans.ts'

const runs = { numRuns: 1_000 }
const usdt = { collateral: 600n * E18, borrowed: E18 }

describe('interest', () => {
  /** Source: principal × rate × seconds ÷ 31,536,000 in Python's `fractions.Fraction`, then ceil. */
  test.each<[bigint, bigint, bigint, bigint]>([
    [1_000n * E18, 45_000_000_000_000_000n, 604_800n, 863_013_698_630_136_987n],
    [1_000n * E18, 45_000_000_000_000_000n, 1n, 1_426_940_639_270n],
    [123_456_789_012_345_678_901n, 754_300_000_000_000_000n, 15_552_000n, 45_923_896_085_923_896_458n],
    [1n, 45_000_000_000_000_000n, 1n, 1n],
    [10n ** 27n, 795_000_000_000_000_000n, 31_536_000n, 795_000_000_000_000_000_000_000_000n],
  ])('of %s at rate %s for %s seconds is %s', (principal, rateE18, seconds, interest) => {
    expect(interestDue({ principal, rateE18, accrued: 0n, accruedAt: 0n }, seconds)).toBe(interest)
  })

  test('partial repayments of interest round nothing', () => {
    fc.assert(
      fc.property(anyDebt, anySeconds, anySeconds, fc.bigInt({ min: 1n, max: 10n ** 27n }), (debt, a, b, some) => {
        const due = interestDue(debt, a)
        fc.pre(due > 1n)
        const paid = 1n + (some % (due - 1n))
        const { after, interest, principal } = repay(debt, paid, a)
        expect({ interest, principal }).toEqual({ interest: paid, principal: 0n })
        expect(interestDue(after, a + b)).toBe(interestDue(debt, a + b) - paid)
      }),
      runs,
    )
  })

  test('a full repayment leaves nothing', () => {
    fc.assert(
      fc.property(anyDebt, anySeconds, anySeconds, (debt, a, b) => {
        const { after, interest, principal, accrued } = repay(debt, totalDebt(debt, a), a)
        expect(interest + principal).toBe(totalDebt(debt, a))
        expect(accrued).toBe(accruedAt(debt, a))
        expect(totalDebt(after, a + b)).toBe(0n)
      }),
      runs,
    )
  })

  test('a repayment reduces the debt by its amount', () => {
    fc.assert(
      fc.property(anyDebt, anySeconds, anyAmount, (debt, now, amount) => {
        const owed = totalDebt(debt, now)
        const { after, interest, principal, accrued } = repay(debt, amount, now)
        expect(interest + principal).toBe(minUnits(amount, owed))
        expect(totalDebt(after, now)).toBe(owed - interest - principal)
        expect(accrued).toBeLessThanOrEqual(interest * ACCRUED_PER_UNIT)
      }),
      runs,
    )
  })
})

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
  test('is exactly at 83 %', () => {
    expect(isLiquidatable(LIMITS, 4_980n * E18, 10n * E18, usdt)).toBe(true)
    expect(isLiquidatable(LIMITS, 4_980n * E18 - 1n, 10n * E18, usdt)).toBe(false)
  })

  test('happens at the liquidation price and not above', () => {
    fc.assert(
      fc.property(anyAmount, anyAmount, (debt, collateral) => {
        const price = liquidationPrice(debt, collateral, LIMITS)!
        const at = (collateralPrice: bigint) => ({ collateral: collateralPrice, borrowed: E18 })
        expect(isLiquidatable(LIMITS, debt, collateral, at(price))).toBe(true)
        expect(isLiquidatable(LIMITS, debt, collateral, at(price + 1n))).toBe(false)
      }),
      runs,
    )
  })

  test('happens at the predicted second and not before', () => {
    let predicted = 0
    fc.assert(
      fc.property(anyDebt, anySeconds, anyPrices, (debt, now, prices) => {
        const collateral = leastCollateral(totalDebt(debt, now), prices, LIMITS)
        const time = timeOfLiquidation(debt, { collateral, prices, limits: LIMITS }, now)
        const reached = (at: bigint) => isLiquidatable(LIMITS, totalDebt(debt, at), collateral, prices)
        expect(reached(time ?? now + 10n ** 12n)).toBe(time !== undefined)
        if (time === undefined || time === now) return
        expect(reached(time - 1n)).toBe(false)
        predicted++
      }),
      runs,
    )
    expect(predicted).toBeGreaterThan(500)
  })
})
