import { expect, test } from 'vitest'
import { RANK_PERIODS, rankBucketAt } from './rank-period.ts'

// By hand: 22 November 2026 is a Sunday; Hong Kong is at UTC+8.
test.each([
  [
    '2026-11-22T15:59:59.999Z',
    'day:2026-11-22',
    '2026-11-22T16:00:00.000Z',
    'week:2026-11-16',
    '2026-11-22T16:00:00.000Z',
  ],
  [
    '2026-11-22T16:00:00.000Z',
    'day:2026-11-23',
    '2026-11-23T16:00:00.000Z',
    'week:2026-11-23',
    '2026-11-29T16:00:00.000Z',
  ],
  [
    '2027-01-01T00:00:00.000Z',
    'day:2027-01-01',
    '2027-01-01T16:00:00.000Z',
    'week:2026-12-28',
    '2027-01-03T16:00:00.000Z',
  ],
])('%s is in its day and its week from Monday', (at, day, dayEnds, week, weekEnds) => {
  expect(RANK_PERIODS.map((period) => rankBucketAt(period, new Date(at)))).toEqual([
    { period: 'day', name: day, endsAt: new Date(dayEnds) },
    { period: 'week', name: week, endsAt: new Date(weekEnds) },
    { period: 'all', name: 'all', endsAt: null },
  ])
})
