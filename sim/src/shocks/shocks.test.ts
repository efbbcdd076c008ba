import { expect, test } from 'vitest'
import { aavePrincipal, runAavePath } from './aave-book.ts'
import { createRandom, pricePath } from './price-paths.ts'
import type { LoanPlan } from './shocked-loans.ts'
import { runShocks } from './shocks.ts'

test('books balance on shocked paths, and no stale price liquidates', () => {
  const { counts } = runShocks({ paths: 20, seed: 7 })
  expect(counts.checks).toBe(20 * 48)
  expect(counts.liquidations).toBeGreaterThan(50)
  expect(counts.staleAttempts).toBeGreaterThan(100)
})

test('a seed gives one path, with jumps and gaps', () => {
  const path = (seed: number) => pricePath(createRandom(seed))
  expect(path(1)).toEqual(path(1))
  expect(path(1)).not.toEqual(path(2))
  const paths = Array.from({ length: 200 }, (_, seed) => path(seed))
  const moves = paths.flatMap((steps) =>
    steps.flatMap(({ prices }, index) => (index === 0 ? [] : [prices.BNB / (steps[index - 1]?.prices.BNB ?? 1)])),
  )
  expect(Math.min(...moves)).toBeLessThan(0.2)
  expect(Math.max(...moves)).toBeGreaterThan(5)
  for (const steps of paths) {
    const stale = steps.findIndex(({ isStale }) => isStale)
    if (stale > 0) expect(steps[stale]?.prices).toEqual(steps[stale - 1]?.prices)
  }
})

const PLAN: LoanPlan = {
  collateralAsset: 'BNB',
  borrowAsset: 'USDT',
  collateral: 10,
  share: 1,
  termDays: 30,
  repaysAt: 99,
}
const at = (BNB: number, isStale = false) => ({ seconds: 0, prices: { BNB, ETH: 3_000 }, isStale })

test('the model of Aave v3 follows its published parameters', () => {
  expect(aavePrincipal(PLAN)).toBe(4_200)
  const lossAt = (price: number, isStale = false) => runAavePath([PLAN], [at(price, isStale)], aavePrincipal)
  // Healthy at 600: 6,000 × 0.75 ≥ 4,200. Liquidated in full without a loss at 500.
  expect(lossAt(600)).toBe(0)
  expect(lossAt(500)).toBe(0)
  expect(lossAt(300, true)).toBe(0)
  // 3,000 of collateral pay 3,000 ÷ 1.1, and the rest of 4,200 is lost by a pool of 200,000, one of two.
  expect(lossAt(300)).toBeCloseTo((4_200 - 3_000 / 1.1) / 200_000 / 2, 12)
})
