import { expect, test } from 'vitest'
import { createBookingLog } from './booking-log.ts'

test('every payment is logged, and progress once in five minutes', () => {
  let nowMs = 0
  const seen: object[] = []
  const onBooked = createBookingLog(
    (event, fields) => seen.push({ event, ...fields }),
    () => nowMs,
  )
  onBooked({ block: 7n, isBehind: true, credited: 0, completed: 0 })
  nowMs = 299_999
  onBooked({ block: 8n, isBehind: false, credited: 1, completed: 1 })
  onBooked({ block: 9n, isBehind: false, credited: 0, completed: 0 })
  nowMs = 300_000
  onBooked({ block: 10n, isBehind: false, credited: 0, completed: 0 })
  expect(seen).toEqual([
    { event: 'watcher_progressed', block: '7', is_behind: true },
    { event: 'payments_booked', block: '8', credited: 1, completed: 1 },
    { event: 'watcher_progressed', block: '10', is_behind: false },
  ])
})

test('the log keeps time without a given clock', () => {
  const seen: string[] = []
  const onBooked = createBookingLog((event) => seen.push(event))
  for (const block of [7n, 8n]) onBooked({ block, isBehind: false, credited: 0, completed: 0 })
  expect(seen).toEqual(['watcher_progressed'])
})
