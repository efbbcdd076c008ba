import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { arrayLiteral } from './array-literal.ts'
import type { Database } from './database.ts'
import { openTestDatabase } from './testing/database.ts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase([])
})
afterAll(() => db.close())

async function readBack(literal: string): Promise<(string | null)[]> {
  const rows = await db.query<{ value: string | null }>(
    'select value from unnest($1::text[]) with ordinality as each (value, place) order by place',
    [literal],
  )
  return rows.map((row) => row.value)
}

test('array literals round-trip any text through the database', async () => {
  // The database keeps no zero character and no half of a pair, in an array or alone.
  const text = fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0') && each.isWellFormed())
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(text, fc.constant(null))), async (values) => {
      expect(await readBack(arrayLiteral(values))).toEqual(values)
    }),
  )
})

test('quotes text with special characters of an array literal', async () => {
  const values = ['', 'NULL', 'null', '{}', ',', '"', '\\', ' a ', 'a b', '\n', null]
  expect(await readBack(arrayLiteral(values))).toEqual(values)
})

test('writes numbers with all their digits', () => {
  expect(arrayLiteral([1n, -(10n ** 40n), 7])).toBe(`{1,-1${'0'.repeat(40)},7}`)
  expect(arrayLiteral([])).toBe('{}')
})
