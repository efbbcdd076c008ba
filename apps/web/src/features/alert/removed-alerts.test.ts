import { expect, test } from 'vitest'
import { WAITING } from './alert.samples.ts'
import { type Alert, withRemoved } from './removed-alerts.ts'

const alertOf = (alert_id: string, minute: number): Alert => ({
  ...(WAITING.items[0] as Alert),
  alert_id,
  created_at: `2030-01-01T00:0${minute}:00.000Z`,
})
const [OLD, MIDDLE, NEW] = [alertOf('1', 1), alertOf('2', 2), alertOf('3', 3)]

test.each([
  ['before the list is read again', [NEW, MIDDLE, OLD]],
  ['after it', [NEW, OLD]],
])('a removed alert keeps its place %s', (_when, waiting) => {
  const rows = withRemoved(waiting, [MIDDLE])
  expect(rows.map(({ alert, isRemoved }) => [alert.alert_id, isRemoved])).toEqual([
    ['3', false],
    ['2', true],
    ['1', false],
  ])
})
