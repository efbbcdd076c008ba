import { describe, expect, test } from 'vitest'
import { RAY } from './borrow-index.ts'
import { allowedParts, checkPart, coverLoss, liquidatePart, type PartRules } from './part-liquidation.ts'
import { settlePart } from './part-settlement.ts'
import { replayReceipt } from './stored-receipt.ts'
import { E18 } from './testing/loans.ts'

const RULES: PartRules = {
  liquidationBps: 8_300n,
  wholeBps: 9_000n,
  partBps: 5_000n,
  smallOrderLoans: 4n,
  bonusBps: 10_800n,
  overdueBonusBps: 10_500n,
  floorBps: 10_200n,
  leastLoan: 10n * E18,
}
const EVEN = { collateral: E18, borrowed: E18 }

describe('checkPart', () => {
  test('names the bounds of what is allowed', () => {
    // 100 of debt at 85 %: at most 50.
    const allowed = allowedParts({ debt: 85n * E18, collateral: 100n * E18, isOverdue: false }, EVEN, RULES)
    expect(allowed).toEqual({ most: (425n * E18) / 10n, parts: { min: 10n * E18, max: (425n * E18) / 10n } })
    const check = (part: bigint) => checkPart(part, 85n * E18, allowed)?.reason
    expect(check(10n * E18)).toBeUndefined()
    expect(check(10n * E18 - 1n)).toBe('least_part')
    expect(check((425n * E18) / 10n)).toBeUndefined()
    expect(check((425n * E18) / 10n + 1n)).toBe('half')
    expect(check(43n * E18)).toBe('half')
    expect(check(85n * E18)).toBe('half')
  })

  test('leaves nothing or the least loan where all may end', () => {
    const allowed = allowedParts({ debt: 95n * E18, collateral: 100n * E18, isOverdue: false }, EVEN, RULES)
    expect(checkPart(95n * E18, 95n * E18, allowed)).toBeUndefined()
    expect(checkPart(85n * E18, 95n * E18, allowed)).toBeUndefined()
    const bounds = { min: 10n * E18, max: 85n * E18 }
    expect(checkPart(86n * E18, 95n * E18, allowed)).toEqual({ reason: 'least_rest', ...bounds })
  })

  test('allows only the whole of a small debt', () => {
    const allowed = allowedParts({ debt: 15n * E18, collateral: 16n * E18, isOverdue: false }, EVEN, RULES)
    expect(allowed).toEqual({ most: 15n * E18, parts: undefined })
    expect(checkPart(10n * E18, 15n * E18, allowed)).toEqual({ reason: 'whole_only', min: 15n * E18, max: 15n * E18 })
  })
})

test('liquidatePart rejects a part of nothing or above the debt', () => {
  const order = { debt: 10n, collateral: 10n }
  expect(() => liquidatePart(order, 0n, EVEN, RULES)).toThrow(RangeError)
  expect(() => liquidatePart(order, 11n, EVEN, RULES)).toThrow(RangeError)
})

test('insurance pays what it has, and pledgers bear the rest', () => {
  expect(coverLoss(10n, 25n)).toEqual({ insurance: 10n, pledgers: 0n })
  expect(coverLoss(10n, 4n)).toEqual({ insurance: 4n, pledgers: 6n })
})

/** Half of an order of 10 BNB at 420 USDT, which owes 3,600 USDT: 85.7 %. */
const HALF = {
  debt: { principal: 3_500n * E18, debtShares: 3_600n * E18 },
  indexE27: RAY,
  collateral: 10n * E18,
  prices: { collateral: 420n * E18, borrowed: E18 },
  betterPrices: { collateral: 421n * E18, borrowed: E18 },
  part: 'most' as const,
  at: 100n,
  repaymentTime: 200n,
  rules: RULES,
  insurance: 0n,
}

test('half of an order below 87.5% cures it', () => {
  // By hand: 1,800 × 1.08 ÷ 420 = 4.628571…; left 1,800 ÷ (5.371428… × 420) = 79.79 %.
  const done = settlePart(HALF)
  expect(done).toMatchObject({
    interest: 100n * E18,
    debt: 3_600n * E18,
    isOverLimit: true,
    isOverdue: false,
    factorBps: 10_800n,
    ended: 1_800n * E18,
    paid: 1_800n * E18,
    received: 4_628_571_428_571_428_571n,
    returned: 0n,
    kept: 5_371_428_571_428_571_429n,
    shortfall: 0n,
    interestEnded: 100n * E18,
    principalEnded: 1_700n * E18,
    debtSharesEnded: 1_800n * E18,
    profit: 143_999_999_999_999_999_820n,
  })
  expect(done.after).toMatchObject({
    debt: { principal: 1_800n * E18, debtShares: 1_800n * E18 },
    total: 1_800n * E18,
    collateral: 5_371_428_571_428_571_429n,
    state: 'normal',
  })
})

test('a small part leaves an order that is still over the limit', () => {
  // By hand: 100 × 1.08 ÷ 420 = 0.257142…; left 3,500 ÷ (9.742857… × 421) = 85.33 %.
  expect(settlePart({ ...HALF, part: 100n * E18 })).toMatchObject({
    received: 257_142_857_142_857_142n,
    interestEnded: 100n * E18,
    principalEnded: 0n,
    after: { total: 3_500n * E18, collateral: 9_742_857_142_857_142_858n, state: 'to_be_cleared' },
  })
})

test('an order over the limit only at its mean price is normal', () => {
  // By hand: 3,600 ÷ 4,330 = 83.14 %, and 3,600 ÷ 4,340 = 82.95 %.
  const [mean, better] = [433n, 434n].map((price) => ({ collateral: price * E18, borrowed: E18 }))
  const done = settlePart({ ...HALF, prices: mean ?? EVEN, betterPrices: better ?? EVEN, part: 10n * E18 })
  expect(done).toMatchObject({ isOverLimit: false, factorBps: 10_800n, after: { state: 'normal' } })
})

test('an overdue order stays to be cleared until no debt is left', () => {
  const overdue = { ...HALF, at: 200n, part: 1_800n * E18 }
  expect(settlePart(overdue).after.state).toBe('to_be_cleared')
  expect(settlePart({ ...overdue, part: 'most' })).toMatchObject({
    ended: 3_600n * E18,
    after: { state: 'liquidated', total: 0n, collateral: 0n },
  })
})

test('a stored receipt gives the same steps', () => {
  const replayed = replayReceipt({
    created_at: '1970-01-01T00:01:40.500Z',
    inputs: {
      collateral_amount: '10',
      principal: '3500',
      debt_shares: '3600',
      index: '1.000000000000000000000000000',
      amount: '1800',
      repayment_time: '1970-01-01T00:03:20.000Z',
      collateral_price: '420',
      lending_price: '1',
      collateral_price_high: '421',
      lending_price_low: '1',
      ltv_liquidation: '0.83',
      ltv_whole: '0.9',
      liquidation_part: '0.5',
      small_order_loans: 4,
      factor_liquidation: '1.08',
      factor_overdue: '1.05',
      factor_floor: '1.02',
      min_loan: '10',
      insurance: '0',
    },
  })
  expect(replayed).toEqual(settlePart(HALF))
})
