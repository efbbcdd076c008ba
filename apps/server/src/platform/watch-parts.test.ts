import { expect, test } from 'vitest'
import type { PartState } from './readiness.ts'
import { watchParts } from './watch-parts.ts'

test('each part is logged once when it fails, and when it recovers', async () => {
  let states: [string, PartState][] = [
    ['database', 'ok'],
    ['chain', 'ok'],
  ]
  let nowMs = 0
  const seen: object[] = []
  const logEvent = (event: string, fields: object) => seen.push({ event, ...fields })
  const watch = watchParts({ check: async () => new Map(states) }, logEvent, () => nowMs)
  await watch.now()
  states = [
    ['database', 'failing'],
    ['chain', 'degraded'],
  ]
  await watch.now()
  await watch.now()
  nowMs = 12_000
  states = [
    ['database', 'ok'],
    ['chain', 'degraded'],
  ]
  await watch.now()
  await watch.now()
  expect(seen).toEqual([
    { event: 'part_failed', part: 'database', state: 'failing' },
    { event: 'part_failed', part: 'chain', state: 'degraded' },
    { event: 'part_recovered', part: 'database', seconds: 12 },
  ])
})
