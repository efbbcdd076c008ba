import { afterEach, beforeEach, expect, test } from 'vitest'
import { logQuery } from './log-query.ts'

const zone = process.env.TZ
beforeEach(() => {
  process.env.TZ = 'Asia/Hong_Kong'
})
afterEach(() => {
  process.env.TZ = zone
})

// 00:30 on 10 March in Hong Kong, still the 9th in UTC.
const now = new Date('2026-03-09T16:30:00Z')

test('the days of the quick choices begin at local midnight and end now', () => {
  expect(logQuery({ range: 'today' }, now)).toEqual({ from: '2026-03-09T16:00:00.000Z' })
  expect(logQuery({ range: '7d' }, now)).toEqual({ from: '2026-03-03T16:00:00.000Z' })
  expect(logQuery({ range: '30d' }, now)).toEqual({ from: '2026-02-08T16:00:00.000Z' })
  expect(logQuery({}, now)).toEqual({})
})

test('own days are whole local days, the last one included', () => {
  expect(logQuery({ asset: 'RT', range: 'own', from: '2026-03-01', to: '2026-03-01' }, now)).toEqual({
    asset: 'RT',
    from: '2026-02-28T16:00:00.000Z',
    to: '2026-03-01T16:00:00.000Z',
  })
  expect(logQuery({ range: 'own', to: '2025-12-31' }, now)).toEqual({ to: '2025-12-31T16:00:00.000Z' })
})

test('a day on which the clocks change is as long as it is', () => {
  process.env.TZ = 'Europe/London'
  expect(logQuery({ range: 'own', from: '2026-03-29', to: '2026-03-29' }, now)).toEqual({
    from: '2026-03-29T00:00:00.000Z',
    to: '2026-03-29T23:00:00.000Z',
  })
})

test('the same day gives the same question all day long', () => {
  expect(logQuery({ range: '7d' }, now)).toEqual(logQuery({ range: '7d' }, new Date('2026-03-10T15:59:59Z')))
})
