import { Refusal } from '@clearwell/ledger/refusal'
import { describe, expect, test } from 'vitest'
import { decodeCursor, encodeCursor, pageOf } from './paging.ts'

describe('a cursor', () => {
  test('a cursor survives a round trip as accepted text', () => {
    const cursor = { at: new Date('2026-11-21T09:00:00.123Z'), id: `0x${'ab'.repeat(32)}` }
    expect(encodeCursor(cursor)).toMatch(/^[\w-]{1,100}$/)
    expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor)
  })

  test('an absent cursor starts at the beginning', () => {
    expect(decodeCursor(undefined)).toBeUndefined()
  })

  test.each([
    ['no cursor', 'abc'],
    ['empty', ''],
    ['without an id', 'lzabcdef-'],
    ['without a time', '-abc'],
    ['of a time that is no number', 'SOON-abc'],
    ['of a time after the year 9999, which the database cannot read', `${(253402300800000).toString(36)}0-abc`],
    ['of a time that no calendar has', 'zzzzzzzzzzzzzz-abc'],
    ['with SQL in it', "lzabcdef-' or 1=1"],
    ['with a line break at its end', 'lzabcdef-abc\n'],
    ['with a zero byte', 'lzabcdef-a\u0000'],
    ['with a long id', `lzabcdef-${'a'.repeat(81)}`],
  ])('a cursor that is %s is refused', (_name, text) => {
    let thrown: unknown
    try {
      decodeCursor(text)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(Refusal)
    expect(thrown).toMatchObject({
      refusal: 'invalid_input',
      data: { fields: { cursor: 'not a cursor of this list' } },
    })
  })
})

describe('a page', () => {
  const page = (rows: number[], limit: number) => pageOf(rows, limit, (row) => row * 10, String)

  test.each([
    ['no rows', [], 2, [], null],
    ['fewer rows than asked for', [3], 2, [30], null],
    ['as many as asked for', [3, 2], 2, [30, 20], null],
    ['one more: the next page starts after the last one shown', [3, 2, 1], 2, [30, 20], '2'],
  ])('a page of %s', (_name, rows, limit, items, next_cursor) => {
    expect(page(rows, limit)).toEqual({ items, next_cursor })
  })
})
