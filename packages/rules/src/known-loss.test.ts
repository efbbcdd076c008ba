import { expect, test } from 'vitest'
import { RAY } from './borrow-index.ts'
import { countUnsure, knownLoss, type LossTerms, lossLine } from './known-loss.ts'
import { E18 } from './testing/loans.ts'

const prices = (collateral: bigint, borrowed = 1n) => ({ collateral: collateral * E18, borrowed: borrowed * E18 })
const last = prices(600n)
const unsure = { prices: last, countedBps: 8_000n }

// By hand: 80 % of 600 are 480.
test.each([
  ['without a reading', undefined, unsure],
  ['at a reading of 480', prices(480n), unsure],
  ['at a reading of 479', prices(479n), { prices: prices(479n), countedBps: 10_000n }],
  ['at a reading that is higher', prices(700n), unsure],
  ['where the debt is worth twice as much', prices(600n, 2n), { prices: prices(600n, 2n), countedBps: 10_000n }],
])('collateral counts %s', (_when, reading, counted) => {
  expect(countUnsure({ last, reading }, 8_000n)).toEqual(counted)
})

const terms = (change: Partial<LossTerms> = {}): LossTerms => ({
  ...{ indexE27: RAY, prices: prices(1n), countedBps: 10_000n, floorBps: 10_200n },
  ...change,
})
const sums = (debtShares: bigint, collateral: bigint) => ({ debtShares, collateral })

test('the line is where collateral covers the debt 1.02 times', () => {
  const { top, bottom } = lossLine(terms({ indexE27: 2n * RAY, prices: prices(600n), countedBps: 8_000n }))
  // By hand: 2 × 1.02 ÷ (600 × 0.8) = 17 ÷ 4,000.
  expect(top * 4_000n).toBe(bottom * 17n)
})

test('losses of all pairs are added up before they are rounded', () => {
  // By hand: 10 - 9 ÷ 1.02 = 1.1764…, and 10 - 17 × 0.5 ÷ 1.02 = 1.6666…: 2.843… together.
  const pairs = [
    { below: sums(10n, 9n), terms: terms() },
    { below: sums(10n, 17n), terms: terms({ countedBps: 5_000n }) },
  ]
  expect(knownLoss(pairs)).toBe(3n)
  expect(pairs.map((pair) => knownLoss([pair]))).toEqual([2n, 2n])
  // At a price of 3 for the borrowed asset: 10 - 9 ÷ 3.06 = 7.058…, so 8.235… together.
  const dear = { below: sums(10n, 9n), terms: terms({ prices: prices(1n, 3n) }) }
  expect(knownLoss([pairs[0] ?? dear, dear])).toBe(9n)
})

test('a loss of whole units is not rounded up', () => {
  // By hand: 100 - 51 ÷ 1.02 = 50.
  expect(knownLoss([{ below: sums(100n, 51n), terms: terms() }])).toBe(50n)
})

test('a pair without orders loses nothing, also without a price', () => {
  const unknown = { below: sums(0n, 0n), terms: terms({ prices: prices(0n, 0n) }) }
  expect(knownLoss([unknown])).toBe(0n)
  expect(knownLoss([unknown, { below: sums(100n, 51n), terms: terms() }])).toBe(50n)
})
