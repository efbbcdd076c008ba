import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDraining } from './draining.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Starts a drain of five seconds twice, as two callers of a shutdown do. */
function startDrain() {
  const draining = createDraining(5_000)
  const ended = vi.fn()
  expect([draining.isDraining(), draining.cutShort()]).toEqual([false, false])
  for (let calls = 0; calls < 2; calls++) void draining.run().then(ended)
  expect(draining.isDraining()).toBe(true)
  return { draining, ended }
}

test('a drain lasts as long as configured', async () => {
  const { draining, ended } = startDrain()
  await vi.advanceTimersByTimeAsync(4_999)
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(ended).toHaveBeenCalledTimes(2)
  expect([draining.isDraining(), draining.cutShort()]).toEqual([true, false])
})

test('a drain can be cut short once', async () => {
  const { draining, ended } = startDrain()
  expect([draining.cutShort(), draining.cutShort()]).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(0)
  expect(ended).toHaveBeenCalledTimes(2)
})
