import type { Queryable } from '@clearwell/ledger/database'
import { expect, test } from 'vitest'
import { openServerClock } from './server-clock.ts'

test("a process with a wrong clock starts with the database's time", async () => {
  const now = new Date('2026-11-21T09:00:00Z')
  const db = { query: async () => [{ now }] } as unknown as Queryable
  const steps: string[] = []
  const clock = await openServerClock(
    db,
    { onStep: ({ message }) => steps.push(message), onError: (error) => expect.unreachable(String(error)) },
    { now: () => new Date(now.getTime() + 3_600_000) },
  )
  expect(Math.abs(clock.now().getTime() - now.getTime())).toBeLessThan(2_000)
  expect(steps).toEqual([expect.stringContaining('ahead of the database by: 3600 s')])
})
