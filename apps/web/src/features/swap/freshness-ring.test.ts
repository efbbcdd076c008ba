import { expect, test } from 'vitest'
import { remainingOf } from './freshness-ring.tsx'

const QUOTE = { atMs: 10_000, expiresAtMs: 20_000 }

test.each([
  ['just arrived', 10_000, QUOTE, 1],
  ['half way', 15_000, QUOTE, 0.5],
  ['expired', 25_000, QUOTE, 0],
  ['a clock that was set back', 5_000, QUOTE, 1],
  ['no quote', 15_000, { atMs: 0, expiresAtMs: 0 }, 0],
])('the ring of a quote that %s shows its real age', (_, nowMs, quote, left) => {
  expect(remainingOf(nowMs, quote)).toBe(left)
})
