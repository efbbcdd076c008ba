import { expect, test } from 'vitest'
import { expiryMs, isWorthSaying } from './quote-age.ts'

test("a quote holds for the span that the server gave it, counted by this device's own clock", () => {
  const quote = { time: '2030-01-01T00:00:00.000Z', expires_at: '2030-01-01T00:00:07.000Z' }
  expect(expiryMs(quote, 1_000)).toBe(8_000)
  expect(expiryMs({ ...quote, time: quote.expires_at }, 1_000)).toBe(11_000)
  expect(expiryMs(undefined, 1_000)).toBe(0)
})

test('a figure is said again once it changed by half a percent, up or down', () => {
  expect(isWorthSaying(undefined, 1n)).toBe(true)
  expect([10_000n, 10_049n, 9_951n].map((now) => isWorthSaying(10_000n, now))).toEqual([false, false, false])
  expect([10_050n, 9_950n].map((now) => isWorthSaying(10_000n, now))).toEqual([true, true])
})
