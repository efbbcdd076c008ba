import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadAllWords } from '../../testing/words.ts'
import { changeLogFilter, dayOf, isNarrowed, logQuery, readLogFilter } from './log-filter.ts'

beforeAll(loadAllWords)

const zone = process.env.TZ
beforeEach(() => {
  process.env.TZ = 'Asia/Hong_Kong'
})
afterEach(() => {
  process.env.TZ = zone
})

describe('the path of a filter', () => {
  test('the path carries every part of the filter', () => {
    const filter = { asset: 'USDT', kind: 'swap', range: 'own', from: '2026-01-31', to: '2026-02-01' }
    expect(readLogFilter(filter)).toEqual(filter)
    expect(readLogFilter({ range: '7d' })).toEqual({ range: '7d' })
  })

  test.each([
    ['an unknown asset', { asset: 'DOGE' }],
    ['an unknown kind', { kind: 'swaps' }],
    ['an unknown range', { range: 'year' }],
    ['all time, which is no filter', { range: 'all' }],
    ['days without their range', { from: '2026-01-01', to: '2026-01-02' }],
  ])('ignores %s in the path', (_case, search) => {
    expect(readLogFilter(search)).toEqual({})
    expect(isNarrowed(readLogFilter(search))).toBe(false)
  })

  test.each(['2026-02-30', '2026-13-01', '1969-12-31', '9999-12-31', '20260101', 'today', 20260101])(
    'ignores the invalid day %s',
    (day) => {
      expect(readLogFilter({ range: 'own', from: day, to: '2026-03-01' })).toEqual({ range: 'own', to: '2026-03-01' })
    },
  )

  test('swaps days in the wrong order', () => {
    expect(readLogFilter({ range: 'own', from: '2026-03-02', to: '2026-03-01' })).toEqual({
      range: 'own',
      from: '2026-03-01',
      to: '2026-03-02',
    })
  })
})

describe('a changed filter', () => {
  test('a change keeps other parts and removes undefined ones', () => {
    const filter = readLogFilter({ asset: 'BNB', kind: 'swap', range: 'today' })
    expect(changeLogFilter(filter, { asset: undefined })).toEqual({ kind: 'swap', range: 'today' })
    expect(changeLogFilter(filter, { kind: 'deposit' })).toEqual({ asset: 'BNB', kind: 'deposit', range: 'today' })
  })

  test('a quick choice removes custom days, all time removes the range', () => {
    const own = readLogFilter({ range: 'own', from: '2026-03-01', to: '2026-03-02' })
    expect(changeLogFilter(own, { range: '7d' })).toEqual({ range: '7d' })
    expect(changeLogFilter(own, { range: 'all' })).toEqual({})
  })
})

test("formats a day in the user's time zone for a date input", () => {
  // 00:30 on 10 March in Hong Kong, still the 9th in UTC.
  expect(dayOf(new Date('2026-03-09T16:30:00Z'))).toBe('2026-03-10')
})

// 00:30 on 10 March in Hong Kong, still the 9th in UTC.
const now = new Date('2026-03-09T16:30:00Z')

test('quick choices start at local midnight and end now', () => {
  expect(logQuery({ range: 'today' }, now)).toEqual({ from: '2026-03-09T16:00:00.000Z' })
  expect(logQuery({ range: '7d' }, now)).toEqual({ from: '2026-03-03T16:00:00.000Z' })
  expect(logQuery({ range: '30d' }, now)).toEqual({ from: '2026-02-08T16:00:00.000Z' })
  expect(logQuery({}, now)).toEqual({})
})

test('custom days are whole local days including the last', () => {
  expect(logQuery({ asset: 'RT', range: 'own', from: '2026-03-01', to: '2026-03-01' }, now)).toEqual({
    asset: 'RT',
    from: '2026-02-28T16:00:00.000Z',
    to: '2026-03-01T16:00:00.000Z',
  })
  expect(logQuery({ range: 'own', to: '2025-12-31' }, now)).toEqual({ to: '2025-12-31T16:00:00.000Z' })
})

test('a day with a clock change has its real length', () => {
  process.env.TZ = 'Europe/London'
  expect(logQuery({ range: 'own', from: '2026-03-29', to: '2026-03-29' }, now)).toEqual({
    from: '2026-03-29T00:00:00.000Z',
    to: '2026-03-29T23:00:00.000Z',
  })
})

test('the payload stays the same within a day', () => {
  expect(logQuery({ range: '7d' }, now)).toEqual(logQuery({ range: '7d' }, new Date('2026-03-10T15:59:59Z')))
})

test('a search narrows the other filters', () => {
  const now = new Date()
  expect(logQuery({ kind: 'loan', find: '0xabcd' }, now)).toEqual({ kind: 'loan', search: '0xabcd' })
  expect(logQuery({ asset: 'BNB', find: '2 BNB' }, now)).toEqual({ asset: 'BNB', search: '2' })
  expect(logQuery({ asset: 'BNB', find: '2 USDT' }, now)).toBeUndefined()
  expect(readLogFilter({ find: 200 })).toEqual({ find: '200' })
})
