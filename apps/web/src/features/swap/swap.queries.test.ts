import { expect, test } from 'vitest'
import { expiryMs } from './swap.queries.ts'

test("a quote expires by this device's clock after the server's span", () => {
  const quote = { time: '2030-01-01T00:00:00.000Z', expires_at: '2030-01-01T00:00:07.000Z' }
  expect(expiryMs(quote, 1_000)).toBe(8_000)
  expect(expiryMs({ ...quote, time: quote.expires_at }, 1_000)).toBe(11_000)
  expect(expiryMs(undefined, 1_000)).toBe(0)
})
