import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Ending, endAll, SHUTDOWN_MS } from './endings.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const never = () => new Promise<never>(() => {})

function recorded(ended: string[], ...names: string[]): Ending[] {
  return names.map((what) => ({ what, end: async () => ended.push(what) }))
}

test('endAll ends the parts in reverse order', async () => {
  const ended: string[] = []
  expect(await endAll(recorded(ended, 'lock', 'database', 'requests'), { onError: () => {} })).toEqual([])
  expect(ended).toEqual(['requests', 'database', 'lock'])
})

test('endAll names the parts that hang and ends the others', async () => {
  const ended: string[] = []
  const [lock, database] = recorded(ended, 'lock', 'database') as [Ending, Ending]
  const parts: Ending[] = [
    { ...lock, isLock: true },
    database,
    { what: 'chain', end: never },
    { what: 'requests', end: never, withinMs: 60_000 },
  ]
  const startedMs = performance.now()
  const ending = endAll(parts, { onError: () => {} })
  await vi.runAllTimersAsync()
  // The database gets a turn even when the requests have used up all the time.
  expect(await ending).toEqual(['requests', 'chain', 'lock'])
  expect(ended).toEqual(['database'])
  expect(performance.now() - startedMs).toBeLessThanOrEqual(SHUTDOWN_MS)
})

test('endAll reports a part that fails and goes on', async () => {
  const ended: string[] = []
  const reported: unknown[] = []
  const parts = [...recorded(ended, 'lock'), { what: 'chain', end: () => Promise.reject(new Error('broken')) }]
  const left = await endAll(parts, { onError: (error, task) => reported.push([String(error), task]) })
  expect(left).toEqual([])
  expect(ended).toEqual(['lock'])
  expect(reported).toEqual([['Error: broken', 'stopping: chain']])
})
