import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { amountText, optional, timeInput, wholeNumber, zeroOrOne } from './fields.ts'

/** Returns a field's parsed value, or `refused`. */
function read(schema: z.core.$ZodType, value: unknown): unknown {
  const parsed = z.safeParse(schema, value)
  return parsed.success ? parsed.data : 'refused'
}

describe('a point in time', () => {
  test.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T09:00Z', '2026-11-21T09:00:00.000Z'],
    ['2026-11-21T09:00:00.123Z', '2026-11-21T09:00:00.123Z'],
    ['2026-11-21T17:00:00+08:00', '2026-11-21T09:00:00.000Z'],
    ['1795251600', '2026-11-21T09:00:00.000Z'],
    [1_795_251_600, '2026-11-21T09:00:00.000Z'],
    ['0', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%j is %s', (value, expected) => {
    expect(read(timeInput, value)).toEqual(new Date(expected))
  })

  test.each([
    '',
    'now',
    '2026-13-01',
    '2026-11-21T25:00:00Z',
    '2026-11-21T09:00:00',
    '2026-11-21 09:00:00Z',
    '0000-01-01',
    '1969-12-31T23:59:59Z',
    '0000-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59-23:59',
    '99999999999',
    -1,
    1.5,
    10_000_000_000,
    null,
    ['2026-11-21'],
  ])('rejects the time %j', (value) => {
    expect(read(timeInput, value)).toBe('refused')
  })
})

test.each([
  ['0', true],
  ['12.5', true],
  [`${'9'.repeat(30)}.${'9'.repeat(18)}`, true],
  ['', false],
  ['-1', false],
  ['+1', false],
  ['01', false],
  ['1.', false],
  ['.5', false],
  ['1e5', false],
  ['0x10', false],
  ['1,000', false],
  [' 1', false],
  ['1\n', false],
  ['１', false],
  ['9'.repeat(31), false],
  [`0.${'0'.repeat(18)}1`, false],
  [1, false],
])('%j is an amount: %s', (value, isAmount) => {
  expect(read(amountText, value)).toBe(isAmount ? value : 'refused')
})

test.each([
  [1, 1],
  ['100', 100],
  ['007', 7],
  [0, 'refused'],
  [101, 'refused'],
  ['1e2', 'refused'],
  ['', 'refused'],
  [1.5, 'refused'],
  ['1.0', 'refused'],
  [' 1', 'refused'],
  [Number.NaN, 'refused'],
  [true, 'refused'],
  [['1'], 'refused'],
])('%j as a whole number from 1 to 100 is %s', (value, expected) => {
  expect(read(wholeNumber(1, 100), value)).toBe(expected)
})

test.each([
  [0, 0],
  [1, 1],
  ['0', 0],
  ['1', 1],
  [2, 'refused'],
  ['', 'refused'],
  ['01', 'refused'],
  [true, 'refused'],
  [null, 'refused'],
])('%j as 0 or 1 is %s', (value, expected) => {
  expect(read(zeroOrOne, value)).toBe(expected)
})

test('an optional field treats empty and null as absent, and checks others', () => {
  const schema = z.object({ limit: optional(wholeNumber(1, 100)) })
  for (const payload of [{}, { limit: '' }, { limit: null }, { limit: undefined }]) {
    expect((read(schema, payload) as { limit?: number }).limit).toBeUndefined()
  }
  expect(read(schema, { limit: '5' })).toEqual({ limit: 5 })
  expect(read(schema, { limit: '0' })).toBe('refused')
})
