import { expect, test } from 'vitest'
import { defineJob, firstDue, nextDue, type Recurrence } from './job.ts'

const at = (text: string) => new Date(text)

test.each([
  [{ everyMs: 3_600_000 }, '2026-11-21T09:00:00Z', '2026-11-21T10:00:00Z'],
  // 04:00 in Hong Kong is 20:00 UTC of the day before.
  [{ dailyAt: '04:00' }, '2026-11-21T19:59:59Z', '2026-11-21T20:00:00Z'],
  [{ dailyAt: '04:00' }, '2026-11-21T20:00:00Z', '2026-11-22T20:00:00Z'],
  [{ dailyAt: '00:00' }, '2026-11-21T15:00:00Z', '2026-11-21T16:00:00Z'],
  [{ dailyAt: '23:30' }, '2026-12-31T16:00:00Z', '2027-01-01T15:30:00Z'],
] as const)('%j is first due after %s at %s', (recurs, now, expected) => {
  expect(firstDue(recurs, at(now))).toEqual(at(expected))
})

test.each<[Recurrence, string, string, string]>([
  [{ everyMs: 60_000 }, '2026-11-21T09:00:00Z', '2026-11-21T09:00:03Z', '2026-11-21T09:01:00Z'],
  [{ everyMs: 60_000 }, '2026-11-21T09:00:00Z', '2026-11-21T09:10:00Z', '2026-11-21T09:11:00Z'],
  [{ everyMs: 60_000, missed: 'each' }, '2026-11-21T09:00:00Z', '2026-11-21T09:10:00Z', '2026-11-21T09:01:00Z'],
  [{ dailyAt: '00:00' }, '2026-11-20T16:00:00Z', '2026-11-25T12:00:00Z', '2026-11-25T16:00:00Z'],
  [{ dailyAt: '00:00', missed: 'each' }, '2026-11-20T16:00:00Z', '2026-11-25T12:00:00Z', '2026-11-21T16:00:00Z'],
  // The clock went back while the run was in progress.
  [{ everyMs: 60_000 }, '2026-11-21T09:00:00Z', '2026-11-21T08:00:00Z', '2026-11-21T09:01:00Z'],
])('schedule %j due at %s, run at %s, is next due %s', (recurs, dueAt, now, expected) => {
  expect(nextDue(recurs, at(dueAt), at(now))).toEqual(at(expected))
})

const step = async () => 'done' as const

test.each(['retention', 'A.b', 'a.B', ' a.b', 'a.b ', 'a.b.', '.a.b', '-a.b'])('%j is no name of a job', (name) => {
  expect(() => defineJob({ name, step })).toThrow('not a name of a job')
})

test.each(['day.close', 'a.b.c', 'box-money.forget-old'])('%s is a name of a job', (name) => {
  expect(defineJob({ name, step }).name).toBe(name)
})

test('a job recurs each second at most', () => {
  expect(() => defineJob({ name: 'a.b', recurs: { everyMs: 999 }, step })).toThrow('a.b recurs too often')
  expect(defineJob({ name: 'a.b', recurs: { everyMs: 1_000 }, step }).recurs).toEqual({ everyMs: 1_000 })
})

const daily = (time: string) => defineJob({ name: 'a.b', recurs: { dailyAt: time as '00:00' }, step })

test.each(['24:00', '4:00', '04:60', '04:0', '04:000', '104:00', '0a:00', '04:a0', '04:0a', '04-00'])(
  '%j is no time of a day',
  (time) => {
    expect(() => daily(time)).toThrow()
  },
)

test.each(['00:00', '09:59', '19:30', '23:59'])('%s is a time of a day', (time) => {
  expect(daily(time).recurs).toEqual({ dailyAt: time })
})
