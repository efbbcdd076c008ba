import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { changeLogFilter, dayOf, isNarrowed, logQuery, readLogFilter } from './log-filter.ts'

const zone = process.env.TZ
beforeEach(() => {
  process.env.TZ = 'Asia/Hong_Kong'
})
afterEach(() => {
  process.env.TZ = zone
})

describe('the path', () => {
  test('carries every part of the filter there and back', () => {
    const filter = { asset: 'USDT', kind: 'swap', range: 'own', from: '2026-01-31', to: '2026-02-01' }
    expect(readLogFilter(filter)).toEqual(filter)
    expect(readLogFilter({ range: '7d' })).toEqual({ range: '7d' })
  })

  test.each([
    ['an asset that does not exist', { asset: 'DOGE' }],
    ['a kind that is no name', { kind: 'swap; drop' }],
    ['a range that does not exist', { range: 'year' }],
    ['all time, which is no filter', { range: 'all' }],
    ['days without their range', { from: '2026-01-01', to: '2026-01-02' }],
  ])('%s narrows nothing', (_case, search) => {
    expect(readLogFilter(search)).toEqual({})
    expect(isNarrowed(readLogFilter(search))).toBe(false)
  })

  test.each(['2026-02-30', '2026-13-01', '1969-12-31', '9999-12-31', '20260101', 'today', 20260101])(
    'a day that is none, %s, is left open',
    (day) => {
      expect(readLogFilter({ range: 'own', from: day, to: '2026-03-01' })).toEqual({ range: 'own', to: '2026-03-01' })
    },
  )

  test('days in the wrong order change places', () => {
    expect(readLogFilter({ range: 'own', from: '2026-03-02', to: '2026-03-01' })).toEqual({
      range: 'own',
      from: '2026-03-01',
      to: '2026-03-02',
    })
  })
})

describe('a change', () => {
  test('keeps what it does not name, and takes off what it names as undefined', () => {
    const filter = readLogFilter({ asset: 'BNB', kind: 'swap', range: 'today' })
    expect(changeLogFilter(filter, { asset: undefined })).toEqual({ kind: 'swap', range: 'today' })
    expect(changeLogFilter(filter, { kind: 'deposit' })).toEqual({ asset: 'BNB', kind: 'deposit', range: 'today' })
  })

  test('to a quick choice forgets own days, and to all time forgets the range', () => {
    const own = readLogFilter({ range: 'own', from: '2026-03-01', to: '2026-03-02' })
    expect(changeLogFilter(own, { range: '7d' })).toEqual({ range: '7d' })
    expect(changeLogFilter(own, { range: 'all' })).toEqual({})
  })
})

test('a moment is written as the date input of its own zone writes it', () => {
  // 00:30 on 10 March in Hong Kong, still the 9th in UTC.
  expect(dayOf(new Date('2026-03-09T16:30:00Z'))).toBe('2026-03-10')
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
