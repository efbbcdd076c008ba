import { expect, test } from 'vitest'
import { PLAN_CONFIG } from './plan.samples.ts'
import { runText } from './plan-times.ts'
import { nextRuns, slippagesOf, type Times } from './schedule-form.ts'

/** 24 November 2026, 10:30 in Hong Kong. */
const NOW = new Date('2026-11-24T02:30:00Z')
const WEEKLY: Times = { every: 'week', hour: 9, firstDay: '2026-11-24', lastDay: undefined }

test.each<[string, Times, string[]]>([
  ['an hour that has begun is for the next week', WEEKLY, ['2026-12-01', '2026-12-08', '2026-12-15']],
  ['a later hour is for the first day', { ...WEEKLY, hour: 11 }, ['2026-11-24', '2026-12-01', '2026-12-08']],
  ['the last day is included', { ...WEEKLY, hour: 23, lastDay: '2026-12-01' }, ['2026-11-24', '2026-12-01']],
  [
    'a short month runs on its last day',
    { ...WEEKLY, every: 'month', firstDay: '2027-01-31' },
    ['2027-01-31', '2027-02-28', '2027-03-31'],
  ],
  ['no run fits', { ...WEEKLY, lastDay: '2026-11-24' }, []],
])('%s', (_name, times, days) => {
  const hour = String(times.hour).padStart(2, '0')
  const moment = (day: string) => new Date(`${day}T${hour}:00:00+08:00`).toISOString()
  expect(nextRuns(times, NOW, 3)).toEqual(days.map(moment))
})

test('a run is named by its Hong Kong day and hour', () => {
  expect(runText('2026-11-30T16:00:00.000Z')).toBe('2026年12月1日 00:00–01:00')
  expect(runText('2026-12-01T15:59:00.000Z')).toBe('2026年12月1日 23:00–24:00')
})

test.each([
  ['0.005', '0.03', ['0.001', '0.005', '0.01', '0.03']],
  ['0.002', '0.01', ['0.001', '0.002', '0.005', '0.01']],
])('with the default %s and at most %s the slippages are %j', (slippage, max_slippage, shown) => {
  expect(slippagesOf({ ...PLAN_CONFIG.plans, slippage, max_slippage })).toEqual(shown)
})
