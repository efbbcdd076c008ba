import { afterEach, expect, test, vi } from 'vitest'
import { queryClient } from './query-client.ts'
import { serverNowMs, serverTimeAt } from './server-clock.ts'

const HOUR_MS = 3_600_000

afterEach(() => {
  queryClient.clear()
  vi.useRealTimers()
})

test("reads the server's time despite a wrong device clock", () => {
  vi.useFakeTimers({ now: Date.parse('2030-01-01T03:00:00.000Z') })
  expect(serverNowMs()).toBeUndefined()
  queryClient.setQueryData(['config', {}], { time: '2030-01-01T00:00:00.000Z' })
  vi.advanceTimersByTime(5_000)
  expect(serverNowMs()).toBe(Date.parse('2030-01-01T00:00:05.000Z'))
  queryClient.setQueryData(['getQuote', { amount: '1' }], { time: '2030-01-01T00:00:06.000Z' })
  expect(serverNowMs()).toBe(Date.parse('2030-01-01T00:00:06.000Z'))
})

test("a device clock change never moves the server's time backwards", () => {
  const before = { serverMs: 1_000, deviceMs: 1_000 }
  const after = { serverMs: 4_000, deviceMs: 4_000 + HOUR_MS }
  expect(serverTimeAt(5_000 + HOUR_MS, [before, after])).toBe(5_000)
  expect(serverTimeAt(4_000 - HOUR_MS, [before, after])).toBe(4_000)
  expect(serverTimeAt(5_000, [{ serverMs: Number.NaN, deviceMs: 0 }])).toBeUndefined()
})
