import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitRevenue } from './revenue-split.ts'

const product = { rewards: 5_000n, referral: 2_000n, insurance: 1_000n, treasury: 2_000n }

// Source: worked out by hand. revenue, rewards, referral, insurance, treasury
test.each([
  [0n, 0n, 0n, 0n, 0n],
  [1n, 1n, 0n, 0n, 0n],
  [4n, 4n, 0n, 0n, 0n],
  [5n, 3n, 1n, 0n, 1n],
  [9n, 7n, 1n, 0n, 1n],
  [10n, 5n, 2n, 1n, 2n],
  [19n, 12n, 3n, 1n, 3n],
  [100n, 50n, 20n, 10n, 20n],
  [800_000_000_000_000n, 400_000_000_000_000n, 160_000_000_000_000n, 80_000_000_000_000n, 160_000_000_000_000n],
])(
  'revenue of %s gives rewards %s, referral %s, insurance %s, treasury %s',
  (revenue, rewards, referral, insurance, treasury) => {
    expect(splitRevenue(revenue, product)).toEqual({ rewards, referral, insurance, treasury })
  },
)

const sharesArb = fc
  .tuple(
    fc.bigInt({ min: 0n, max: 10_000n }),
    fc.bigInt({ min: 0n, max: 10_000n }),
    fc.bigInt({ min: 0n, max: 10_000n }),
  )
  .map((cuts) => {
    const [a, b, c] = cuts.toSorted((x, y) => (x < y ? -1 : x > y ? 1 : 0)) as [bigint, bigint, bigint]
    return { rewards: a, referral: b - a, insurance: c - b, treasury: 10_000n - c }
  })

test('parts add up to the revenue, and only rewards exceeds its share', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 48n }), sharesArb, (revenue, shares) => {
      const parts = splitRevenue(revenue, shares)
      expect(parts.rewards + parts.referral + parts.insurance + parts.treasury).toBe(revenue)
      for (const name of ['referral', 'insurance', 'treasury'] as const) {
        expect(parts[name] * 10_000n).toBeLessThanOrEqual(revenue * shares[name])
        expect((parts[name] + 1n) * 10_000n).toBeGreaterThan(revenue * shares[name])
      }
      expect(parts.rewards * 10_000n).toBeGreaterThanOrEqual(revenue * shares.rewards)
      // Three parts are cut by less than one unit each.
      expect((parts.rewards - 3n) * 10_000n).toBeLessThan(revenue * shares.rewards + 1n)
    }),
  )
})

test('splitRevenue throws if the shares do not add up', () => {
  expect(() => splitRevenue(100n, { ...product, treasury: 2_001n })).toThrow(RangeError)
  expect(() => splitRevenue(100n, { ...product, treasury: 1_999n })).toThrow(RangeError)
  expect(() => splitRevenue(100n, { rewards: 12_000n, referral: -2_000n, insurance: 0n, treasury: 0n })).toThrow(
    RangeError,
  )
  expect(() => splitRevenue(-1n, product)).toThrow(RangeError)
})

// The shares add up to 10000, and the other parts would take 120 of 100 units.
test('splitRevenue throws for a negative share of rewards', () => {
  const shares = { ...product, rewards: -2_000n, referral: 9_000n }
  expect(() => splitRevenue(100n, shares)).toThrow('a share must not be negative')
})
