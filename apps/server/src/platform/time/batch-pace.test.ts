import { expect, test } from 'vitest'
import { createBatchPace, LEAST_ITEMS } from './batch-pace.ts'

/** Runs full batches that take as long as a machine says. @returns the size of each. */
async function sizesOn(batches: number, tookMs: (size: number, batch: number) => number): Promise<number[]> {
  let nowMs = 0
  const pace = createBatchPace({}, () => nowMs)
  const sizes: number[] = []
  for (let batch = 0; batch < batches; batch++)
    await pace.run(async (size) => {
      sizes.push(size)
      nowMs += tookMs(size, batch)
      return size
    })
  return sizes
}

test.each([
  // Milliseconds for a batch and for an item, and the size that takes 5 ms.
  ['PostgreSQL', 3, 0.03, 66],
  ['PGlite', 1, 0.1, 40],
  ['PGlite beside other work', 2, 0.08, 37],
] as const)('batches stay under 20 ms on %s', async (_machine, batchMs, itemMs, fitting) => {
  const took = (size: number) => batchMs + size * itemMs
  const sizes = await sizesOn(50, took)
  expect(Math.max(...sizes.map(took))).toBeLessThan(20)
  expect(sizes.at(-1)).toBe(fitting)
})

test('a slow batch changes nothing, and a slow machine the size', async () => {
  const isSlow = (batch: number) => batch === 10 || batch >= 20
  const sizes = await sizesOn(40, (size, batch) => size * (isSlow(batch) ? 0.125 : 0.05))
  expect([sizes[10], sizes[11], sizes[20], sizes.at(-1)]).toEqual([100, 100, 100, 40])
})

test('a slow machine gets small batches, a fast one bounded ones', async () => {
  expect((await sizesOn(9, () => 500)).at(-1)).toBe(LEAST_ITEMS)
  expect((await sizesOn(9, () => 0)).at(-1)).toBe(256)
})

test('a batch that is not full leaves the size', async () => {
  let nowMs = 0
  const pace = createBatchPace({ least: 8, most: 20 }, () => nowMs)
  const sizes: number[] = []
  for (const [part, tookMs] of [
    [1, 100],
    [1, 0],
    [0.5, 0],
    [1, 0],
    [1, 0],
  ] as const)
    await pace.run(async (size) => {
      sizes.push(size)
      nowMs += tookMs
      return size * part
    })
  expect(sizes).toEqual([8, 8, 16, 16, 20])
})
