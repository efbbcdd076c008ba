import { minUnits } from '@clearwell/money/min-max'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RAY } from './borrow-index.ts'
import { hasReached } from './loan.ts'
import {
  type Debt,
  interestDue,
  isAtLimit,
  ratioKey,
  ratioThreshold,
  repay,
  timeOfLiquidation,
  totalDebt,
} from './loan-order.ts'
import { anyAmount, anyPrices, E18 } from './testing/loans.ts'

const runs = { numRuns: 1_000 }
const anyIndex = fc.bigInt({ min: RAY, max: 10n * RAY })
/** A debt that was opened at an index of 1 and has grown since. */
const anyDebt: fc.Arbitrary<Debt> = anyAmount.map((principal) => ({ principal, debtShares: principal }))

describe('repay', () => {
  const debt: Debt = { principal: 1_000n, debtShares: 1_000n }
  const index = RAY + RAY / 10n

  test.each([
    ['interest first', 60n, { interest: 60n, principal: 0n, debtShares: 54n }, { principal: 1_000n, debtShares: 946n }],
    [
      'then principal',
      320n,
      { interest: 100n, principal: 220n, debtShares: 290n },
      { principal: 780n, debtShares: 710n },
    ],
    [
      'everything',
      1_100n,
      { interest: 100n, principal: 1_000n, debtShares: 1_000n },
      { principal: 0n, debtShares: 0n },
    ],
    [
      'no more than the debt',
      9_999n,
      { interest: 100n, principal: 1_000n, debtShares: 1_000n },
      { principal: 0n, debtShares: 0n },
    ],
  ])('takes %s', (_, amount, ended, after) => {
    expect(repay(debt, amount, index)).toEqual({ ...ended, after })
  })

  test('in full leaves no principal of a debt that rounding made smaller', () => {
    const smaller = { principal: 1_001n, debtShares: 1_000n }
    expect(repay(smaller, 1_000n, RAY)).toEqual({
      after: { principal: 0n, debtShares: 0n },
      interest: 0n,
      principal: 1_000n,
      debtShares: 1_000n,
    })
  })

  test('never lowers a debt by more than was paid', () => {
    fc.assert(
      fc.property(anyDebt, anyIndex, anyAmount, (some, at, amount) => {
        const owed = totalDebt(some, at)
        const { after, interest, principal } = repay(some, amount, at)
        expect(interest + principal).toBe(minUnits(amount, owed))
        expect(totalDebt(after, at)).toBeGreaterThanOrEqual(owed - interest - principal)
        // A share is worth up to ten units here.
        expect(totalDebt(after, at)).toBeLessThanOrEqual(owed - interest - principal + at / RAY + 1n)
        expect(interestDue(after, at)).toBeGreaterThanOrEqual(0n)
      }),
      runs,
    )
  })
})

describe('ratioKey', () => {
  test('is at the threshold whenever the debt has reached the limit', () => {
    fc.assert(
      fc.property(anyAmount, anyAmount, anyPrices, anyIndex, (debtShares, collateral, prices, index) => {
        const isOver = debtShares * index * prices.borrowed * 10_000n >= collateral * prices.collateral * 8_300n * RAY
        if (isOver) expect(isAtLimit({ debtShares, collateral }, 8_300n, prices, index)).toBe(true)
      }),
      runs,
    )
  })

  test('is below the threshold a unit of price above the limit', () => {
    // 4,980 owed for 10 at 600: exactly 83 %.
    const order = { debtShares: 4_980n * E18, collateral: 10n * E18 }
    const at = (collateral: bigint) => isAtLimit(order, 8_300n, { collateral, borrowed: E18 }, RAY)
    expect(at(600n * E18)).toBe(true)
    expect(at(600n * E18 + 1n)).toBe(false)
    expect(hasReached(8_300n, 4_980n * E18, 10n * E18, { collateral: 600n * E18 + 1n, borrowed: E18 })).toBe(false)
    expect(ratioKey(order, 8_300n)).toBe(600n * RAY)
    expect(ratioThreshold({ collateral: 600n * E18, borrowed: E18 }, RAY)).toBe(600n * RAY)
  })

  test('throws without collateral', () => {
    expect(() => ratioKey({ debtShares: 1n, collateral: 0n }, 8_300n)).toThrow('an open order has collateral')
  })
})

describe('timeOfLiquidation', () => {
  const order = { debtShares: 3_900n * E18, collateral: 10n * E18 }
  const terms = { limitBps: 8_300n, prices: { collateral: 600n * E18, borrowed: E18 }, repaymentTime: 10n ** 9n }

  test('is when the debt has grown by the logarithm of the room', () => {
    // Source: Python's decimal: ln(4980 ÷ 3900) ÷ 0.45 × 31,536,000 = 17,131,289.… s.
    const at = (now: bigint) => timeOfLiquidation(order, terms, { now, indexE27: RAY, rateE18: 45n * 10n ** 16n })
    expect([at(0n), at(1_000_000n)]).toEqual([17_131_290n, 18_131_290n])
  })

  test('is at most the repayment time, and now at the limit', () => {
    const slow = { now: 0n, indexE27: RAY, rateE18: 0n }
    expect(timeOfLiquidation(order, terms, slow)).toBe(10n ** 9n)
    expect(timeOfLiquidation(order, { ...terms, repaymentTime: 5n }, { ...slow, now: 9n })).toBe(5n)
    const low = { ...terms, prices: { collateral: 400n * E18, borrowed: E18 } }
    expect(timeOfLiquidation(order, low, { ...slow, now: 9n })).toBe(9n)
    expect(timeOfLiquidation(order, { ...low, repaymentTime: 5n }, { ...slow, now: 9n })).toBe(5n)
    expect(timeOfLiquidation(order, { ...terms, repaymentTime: 9n }, { ...slow, now: 9n })).toBe(9n)
  })
})
