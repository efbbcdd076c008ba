import { expect, test } from 'vitest'
import { blockingTimeMs } from './blocking-time.ts'

test('only the processor time of the page’s long tasks counts', () => {
  const event = (name: string, tdurMs: number, tid = 1) => ({ name, ts: 0, pid: 7, tid, tdur: tdurMs * 1000 })
  const page = [event('ParseHTML', 3), event('RunTask', 12.5), event('RunTask', 20), event('RunTask', 15)]
  const elsewhere = [event('RunTask', 900, 2), event('Layout', 900)]
  expect(blockingTimeMs([...page, ...elsewhere])).toBe(30 + 10)
})

test('a trace without tasks of a page is an error', () => {
  expect(() => blockingTimeMs([])).toThrow('no tasks')
})
