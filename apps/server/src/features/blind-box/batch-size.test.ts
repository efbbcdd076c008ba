import { expect, test } from 'vitest'
import { createBatchSize } from './batch-size.ts'

/** Runs steps that take this long for each item, and returns their sizes. */
async function sizesOf(costsMs: readonly number[], left = Number.POSITIVE_INFINITY): Promise<number[]> {
  let nowMs = 0
  const batchSize = createBatchSize({ least: 8, most: 100 }, () => nowMs)
  const sizes: number[] = []
  for (const costMs of costsMs)
    await batchSize.run(async (most) => {
      const items = Math.min(most, left)
      sizes.push(most)
      nowMs += items * costMs
      return items
    })
  return sizes
}

test('steps grow from the fewest items to what fits into 5 ms', async () => {
  expect(await sizesOf([0.125, 0.125, 0.125, 0.125, 0.125])).toEqual([8, 16, 32, 40, 40])
  expect(await sizesOf([0, 0, 0, 0, 0, 0])).toEqual([8, 16, 32, 64, 100, 100])
})

test('a slow step makes the next one smaller, down to the fewest', async () => {
  expect(await sizesOf([0.125, 0.125, 0.5, 0.5])).toEqual([8, 16, 32, 10])
  expect(await sizesOf([0.125, 9, 9])).toEqual([8, 16, 8])
})

test('a part of a step counts only if it was slow', async () => {
  expect(await sizesOf([0.125, 0.125], 4)).toEqual([8, 8])
  expect(await sizesOf([0.125, 0.125, 0.125], 12)).toEqual([8, 16, 16])
})
