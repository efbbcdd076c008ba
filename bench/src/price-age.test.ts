import { expect, test } from 'vitest'
import { outdatedMs, percentile, tickerAgesMs } from './price-age.ts'

test("a client's price is outdated until it receives the next change", () => {
  const changes = [
    { atMs: 1_000, value: 'a' },
    { atMs: 1_200, value: 'b' },
    { atMs: 1_250, value: 'c' },
  ]
  const seen = [
    { atMs: 1_000, value: 'a' },
    { atMs: 1_400, value: 'c' },
  ]
  expect(outdatedMs(changes, seen, { fromMs: 1_100, toMs: 1_500, everyMs: 100 })).toEqual([0, 0, 100, 0])
})

test('an unrelated value reveals nothing about the known price', () => {
  const changes = [
    { atMs: 0, value: 'a' },
    { atMs: 100, value: 'b' },
  ]
  const seen = [
    { atMs: 0, value: 'a' },
    { atMs: 150, value: 'x' },
  ]
  expect(outdatedMs(changes, seen, { fromMs: 200, toMs: 300, everyMs: 100 })).toEqual([100])
})

test('a ticker ages until the next one comes', () => {
  const seen = [
    { atMs: 100, timeMs: 90 },
    { atMs: 600, timeMs: 550 },
  ]
  expect(tickerAgesMs(seen, { fromMs: 100, toMs: 900, everyMs: 200 })).toEqual([10, 210, 410, 150])
})

test('a percentile is one of the values, and zero of none', () => {
  expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3)
  expect(percentile([5, 1, 4, 2, 3], 0.99)).toBe(5)
  expect(percentile([], 0.99)).toBe(0)
})
