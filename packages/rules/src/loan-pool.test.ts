import { maxUnits } from '@clearwell/money/min-max'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RAY, sharesOfPayment } from './borrow-index.ts'
import {
  accrue,
  belowDebtsOf,
  debtsOf,
  lend,
  newPool,
  pledge,
  receive,
  reprice,
  type ShareTerms,
  unpledge,
  valueIn,
  valueOfShares,
  valueOut,
} from './loan-pool.ts'
import type { RateCurve } from './pool-rate.ts'
import { anyAmount, anySeconds } from './testing/loans.ts'

const E18 = 10n ** 18n
const RESERVE_BPS = 1_000n
const CALM: ShareTerms = { reserveBps: RESERVE_BPS, knownLoss: 0n }
const USDT: RateCurve = {
  baseE18: 0n,
  kinkE18: 800_000_000_000_000_000n,
  slopeToKinkE18: 45_000_000_000_000_000n,
  slopeAboveKinkE18: 750_000_000_000_000_000n,
  hourlyStepBps: 1_000n,
}

function pledged(pool: ReturnType<typeof newPool>, amount: bigint, terms = CALM) {
  const change = pledge(pool, amount, terms)
  if (typeof change === 'string') throw new Error(change)
  return change
}

describe('interest of a pool', () => {
  const start = lend(pledged(newPool(0n), 10_000n * E18).pool, 5_000n * E18).pool
  const lent = { ...start, rate: { ...start.rate, belowE18: 45_000_000_000_000_000n } }

  test('grows all debts by the exponential of the rate', () => {
    // Source: Python's decimal at 80 digits: 5,000 × e^0.045.
    expect(debtsOf(accrue(lent, 31_536_000n))).toBe(5_230_139_299_543_584_713_567n)
  })

  test('is the same part of a unit for pledgers as for borrowers', () => {
    for (const seconds of [1n, 977n, 31_536_000n]) {
      const { belowDebtE27, debtShares, indexE27 } = accrue(lent, seconds)
      expect(belowDebtE27).toBe(debtShares * indexE27)
    }
  })

  test('reaches pledgers without the part of the reserve', () => {
    // 10,000 + 230.139… × 0.9, rounded down.
    expect(valueIn(accrue(lent, 31_536_000n), RESERVE_BPS)).toBe(10_207_125_369_589_226_242_210n)
  })

  test('never flows back when the clock does', () => {
    const later = accrue(lent, 1_000n)
    expect(accrue(later, 999n)).toBe(later)
    expect(accrue(later, 1_000n)).toBe(later)
  })

  test('follows the curve only after a reprice', () => {
    const full = reprice(lend(lent, 5_000n * E18).pool, USDT)
    expect(full.rate).toMatchObject({ belowE18: 45_000_000_000_000_000n, aboveE18: 0n, targetE18: 75n * 10n ** 16n })
  })
})

describe('interest from above the kink', () => {
  const lent = lend(pledged(newPool(0n), 10_000n * E18).pool, 5_000n * E18)
  const steep = { belowE18: 45n * 10n ** 15n, aboveE18: 75n * 10n ** 16n, targetE18: 75n * 10n ** 16n, speedE18: 1n }
  const grown = accrue({ ...lent.pool, rate: steep }, 31_536_000n)
  // Source of all figures: Python's decimal at 80 digits. 5,000 × e^0.795 is owed, of which 5,000 × e^0.045 is the pledgers' part.
  const owed = 11_072_204_984_020_371_493_114n

  test('is owed and is no value of pledgers', () => {
    expect({ debts: debtsOf(grown), ofPledgers: belowDebtsOf(grown), value: valueIn(grown, RESERVE_BPS) }).toEqual({
      debts: owed - 1n,
      ofPledgers: 5_230_139_299_543_584_713_567n,
      value: 10_207_125_369_589_226_242_210n,
    })
  })

  test.each([
    ['rises from zero', 0n, 75n * 10n ** 16n],
    ['falls to zero', 75n * 10n ** 16n, 0n],
  ])('is no value of pledgers while it %s', (_how, aboveE18, targetE18) => {
    const after = accrue({ ...lent.pool, rate: { ...steep, aboveE18, targetE18 } }, 31_536_000n)
    expect(belowDebtsOf(after)).toBe(5_230_139_299_543_584_713_567n)
    expect(debtsOf(after)).toBeGreaterThan(5_230_139_299_543_584_713_567n)
  })

  test('goes to insurance with a full repayment', () => {
    const ended = { principal: 5_000n * E18, debtShares: lent.debtShares, paid: owed }
    const { pool, reserve, insurance } = receive(grown, ended, RESERVE_BPS)
    // All but the reserve's and the pledgers' parts of 230.139…
    expect({ reserve, insurance }).toEqual({
      reserve: 23_013_929_954_358_471_356n,
      insurance: 5_842_065_684_476_786_779_546n,
    })
    expect(pool).toMatchObject({ borrowed: 0n, debtShares: 0n, belowDebtE27: 0n })
    expect(valueIn(pool, RESERVE_BPS)).toBe(10_207_125_369_589_226_242_212n)
  })

  test('is the same part of every payment of interest', () => {
    const ended = { principal: 0n, debtShares: sharesOfPayment(1_000n * E18, grown.indexE27), paid: 1_000n * E18 }
    const { pool, reserve, insurance } = receive(grown, ended, RESERVE_BPS)
    // 1,000 × (e^0.795 - e^0.045) ÷ (e^0.795 - 1), and a tenth of the rest.
    expect({ reserve, insurance }).toEqual({
      reserve: 3_790_044_969_648_090_273n,
      insurance: 962_099_550_303_519_097_270n,
    })
    expect(valueIn(pool, RESERVE_BPS) - valueIn(grown, RESERVE_BPS)).toBeGreaterThanOrEqual(0n)
    expect(valueIn(pool, RESERVE_BPS) - valueIn(grown, RESERVE_BPS)).toBeLessThanOrEqual(2n)
  })

  test('costs insurance and pledgers alike where it is lost', () => {
    const ended = { principal: 5_000n * E18, debtShares: lent.debtShares, paid: 5_500n * E18 }
    const { pool, reserve, insurance } = receive(grown, ended, RESERVE_BPS)
    expect({ reserve, insurance }).toEqual({
      reserve: 1_895_022_484_824_045_136n,
      insurance: 481_049_775_151_759_548_635n,
    })
    expect(pool.belowDebtE27).toBe(0n)
    expect(valueIn(pool, RESERVE_BPS)).toBe(10_500n * E18 - reserve - insurance)
  })

  test('never goes to insurance while the principal is not covered', () => {
    const ended = { principal: 5_000n * E18, debtShares: lent.debtShares, paid: 4_000n * E18 }
    expect(receive(grown, ended, RESERVE_BPS)).toMatchObject({
      reserve: 0n,
      insurance: 0n,
      pool: { cash: 9_000n * E18 },
    })
  })

  test('changes no value of pledgers, however steep the curve is', () => {
    const anyPart = fc.bigInt({ min: 1n, max: 10_000n })
    fc.assert(
      fc.property(anyAmount, anyPart, fc.array(anySeconds, { maxLength: 5 }), (amount, part, waits) => {
        const valueAt = (slopeAboveKinkE18: bigint) => {
          const curve = { ...USDT, slopeAboveKinkE18 }
          const start = pledge(newPool(0n), amount, CALM)
          if (typeof start === 'string') return 0n
          const loan = maxUnits(1n, (amount * part) / 10_000n)
          const at = waits.reduce(
            (pool, seconds) => reprice(accrue(pool, pool.accruedAt + seconds), curve),
            reprice(lend(start.pool, loan).pool, curve),
          )
          return valueIn(at, RESERVE_BPS)
        }
        const difference = valueAt(USDT.slopeAboveKinkE18) - valueAt(0n)
        // The flat one grows by its index, which is rounded up at 10^-27 each time.
        expect(difference).toBeLessThanOrEqual(1n)
        expect(difference).toBeGreaterThanOrEqual(-BigInt(2 * waits.length + 1))
      }),
    )
  })
})

test('a full repayment leaves no debt and pays the reserve its part', () => {
  const start = lend(pledged(newPool(0n), 1_000n).pool, 500n).pool
  const grown = { ...start, indexE27: RAY + RAY / 10n, belowDebtE27: 550n * RAY }
  const { pool, reserve } = receive(grown, { principal: 500n, debtShares: 500n, paid: 550n }, RESERVE_BPS)
  expect({ pool, reserve }).toMatchObject({ reserve: 5n, pool: { borrowed: 0n, debtShares: 0n, cash: 1_045n } })
  expect(valueIn(pool, RESERVE_BPS)).toBe(1_045n)
})

test('a part that is lost lowers the value by the loss', () => {
  const start = lend(pledged(newPool(0n), 1_000n).pool, 500n).pool
  const { pool, reserve } = receive(start, { principal: 500n, debtShares: 500n, paid: 400n }, RESERVE_BPS)
  expect({ value: valueIn(pool, RESERVE_BPS), reserve }).toEqual({ value: 900n, reserve: 0n })
})

describe('a known loss', () => {
  const { pool, shares } = pledged(newPool(0n), 1_000n)
  const lossy: ShareTerms = { reserveBps: RESERVE_BPS, knownLoss: 100n }

  test('lowers the value out, not the value in', () => {
    expect(valueIn(pool, RESERVE_BPS)).toBe(1_000n)
    expect(valueOut(pool, lossy)).toBe(900n)
    expect(valueOfShares(pool, shares, lossy)).toBe(900n)
    expect(pledged(pool, 1_000n, lossy).shares).toBe(pledged(pool, 1_000n).shares)
  })

  test('never brings the value out below zero', () => {
    expect(valueOut(pool, { ...lossy, knownLoss: 1_001n })).toBe(0n)
  })

  test('as large as the value stops pledges, but not the first one', () => {
    const all: ShareTerms = { ...lossy, knownLoss: 1_000n }
    expect(pledge(pool, 1_000n, all)).toBe('no_value')
    expect(pledge(newPool(0n), 1_000n, CALM)).not.toBeTypeOf('string')
  })
})

describe('withdrawing', () => {
  const full = pledged(newPool(0n), 100n)

  test('returns everything and leaves no share', () => {
    const change = unpledge(full.pool, { owned: full.shares, amount: 'all' }, CALM)
    expect(change).toEqual({ pool: newPool(0n), shares: full.shares, amount: 100n })
  })

  test('more than the shares are worth fails for the balance', () => {
    const ask = (amount: bigint) => unpledge(full.pool, { owned: full.shares, amount }, CALM)
    expect(ask(101n)).toBe('balance')
    expect(ask(0n)).toBe('balance')
  })

  test('more than the pool has in cash fails for the cash', () => {
    const { pool } = lend(full.pool, 40n)
    const ask = (amount: bigint | 'all') => unpledge(pool, { owned: full.shares, amount }, CALM)
    expect(ask('all')).toBe('cash')
    expect(ask(61n)).toBe('cash')
    expect(ask(60n)).toMatchObject({ amount: 60n })
  })
})

test('shares are rounded for the pool when bought, given or valued', () => {
  // 7 units and 3,000,001 shares, besides the virtual unit and its million shares: a unit is 500,000.125 shares.
  const pool = { ...newPool(0n), cash: 7n, shares: 3_000_001n }
  expect(pledged(pool, 1n).shares).toBe(500_000n)
  expect(unpledge(pool, { owned: pool.shares, amount: 1n }, CALM)).toMatchObject({ shares: 500_001n })
  // Of a pledge worth 5.99… that is withdrawn whole, no share is left.
  for (const amount of [5n, 'all'] as const)
    expect(unpledge(pool, { owned: 3_000_000n, amount }, CALM)).toMatchObject({ shares: 3_000_000n, amount: 5n })
  expect(valueOfShares(pool, 500_000n, CALM)).toBe(0n)
  expect(valueOfShares(pool, 500_001n, CALM)).toBe(1n)
})

test('lending more than the cash is a bug', () => {
  expect(lend(newPool(0n, 5n), 5n).pool).toMatchObject({ cash: 0n, borrowed: 5n })
  expect(() => lend(newPool(0n, 5n), 6n)).toThrow(RangeError)
  expect(() => lend(newPool(0n, 5n), 0n)).toThrow(RangeError)
})

test('a pledge that buys no share is refused', () => {
  expect(pledge({ ...newPool(0n), cash: 10n ** 30n, shares: 1n }, 1n, CALM)).toBe('no_share')
})
