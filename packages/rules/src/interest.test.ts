import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { borrowRate, type InterestCurve, utilisation } from './interest.ts'

const E18 = 10n ** 18n

const CURVES = {
  USDT: {
    baseE18: 0n,
    kinkE18: 800_000_000_000_000_000n,
    slopeToKinkE18: 45_000_000_000_000_000n,
    slopeAboveKinkE18: 750_000_000_000_000_000n,
  },
  BNB: {
    baseE18: 0n,
    kinkE18: 650_000_000_000_000_000n,
    slopeToKinkE18: 35_000_000_000_000_000n,
    slopeAboveKinkE18: 600_000_000_000_000_000n,
  },
} satisfies Record<string, InterestCurve>

describe('borrowRate', () => {
  /** Source: Aave's published formula in Python's `fractions.Fraction`, then ceil(10^18 × rate). */
  test.each<[keyof typeof CURVES, bigint, bigint]>([
    ['USDT', 0n, 0n],
    ['USDT', 1n, 1n],
    ['USDT', 100_000_000_000_000_000n, 5_625_000_000_000_000n],
    ['USDT', 333_333_333_333_333_333n, 18_750_000_000_000_000n],
    ['USDT', 650_000_000_000_000_000n, 36_562_500_000_000_000n],
    ['USDT', 800_000_000_000_000_000n, 45_000_000_000_000_000n],
    ['USDT', 800_000_000_000_000_001n, 45_000_000_000_000_004n],
    ['USDT', 900_000_000_000_000_000n, 420_000_000_000_000_000n],
    ['USDT', E18, 795_000_000_000_000_000n],
    ['BNB', 1n, 1n],
    ['BNB', 100_000_000_000_000_000n, 5_384_615_384_615_385n],
    ['BNB', 333_333_333_333_333_333n, 17_948_717_948_717_949n],
    ['BNB', 650_000_000_000_000_000n, 35_000_000_000_000_000n],
    ['BNB', 800_000_000_000_000_001n, 292_142_857_142_857_145n],
    ['BNB', 950_000_000_000_000_000n, 549_285_714_285_714_286n],
    ['BNB', E18, 635_000_000_000_000_000n],
  ])('of %s at utilisation %s is %s', (asset, used, rate) => {
    expect(borrowRate(CURVES[asset], used)).toBe(rate)
  })

  test('never falls when utilisation rises', () => {
    const share = fc.bigInt({ min: 0n, max: E18 })
    const curve = fc.record({
      baseE18: share,
      kinkE18: fc.bigInt({ min: 1n, max: E18 - 1n }),
      slopeToKinkE18: share,
      slopeAboveKinkE18: share,
    })
    fc.assert(
      fc.property(curve, share, share, (curve, a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a]
        expect(borrowRate(curve, low)).toBeLessThanOrEqual(borrowRate(curve, high))
      }),
    )
  })

  test('rejects a utilisation or a kink out of range', () => {
    const curve = CURVES.USDT
    expect(() => borrowRate(curve, -1n)).toThrow('utilisation must be 0 to 1')
    expect(() => borrowRate(curve, E18 + 1n)).toThrow('utilisation must be 0 to 1')
    expect(() => borrowRate({ ...curve, kinkE18: 0n }, 0n)).toThrow('the kink must be between 0 and 1')
    expect(() => borrowRate({ ...curve, kinkE18: E18 }, 0n)).toThrow('the kink must be between 0 and 1')
  })
})

test('utilisation is rounded up, and zero in an empty pool', () => {
  expect(utilisation({ borrowed: 0n, cash: 0n })).toBe(0n)
  expect(utilisation({ borrowed: 0n, cash: 5n })).toBe(0n)
  expect(utilisation({ borrowed: 1n, cash: 2n })).toBe(333_333_333_333_333_334n)
  expect(utilisation({ borrowed: 7n, cash: 0n })).toBe(E18)
})
