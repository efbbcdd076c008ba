import { expect, test } from 'vitest'
import { borrowRate } from './borrow-rate.ts'

const USDT = { base: 0, kinkAt: 0.8, rateAtKink: 0.045, rateAtFull: 0.795 }

// Worked out by hand: 4.5 % × 40/80; the kink; 4.5 % + 75 % × 10/20; the end.
test.each([
  [0, 0],
  [0.4, 0.0225],
  [0.8, 0.045],
  [0.9, 0.42],
  [1, 0.795],
])('a utilisation of %f gives a yearly rate of %f', (utilisation, rate) => {
  expect(borrowRate(USDT, utilisation)).toBeCloseTo(rate, 12)
})
