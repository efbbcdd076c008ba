import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../platform/database/open-database.ts'
import { TIMELINE } from '../timeline.ts'
import { readTimeline } from './user-timeline.ts'

const USER = `0x${'a'.repeat(40)}`
const START_MS = Date.parse('2026-11-01T00:00:00Z')

let db: Database
beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
})
afterAll(() => db.close())

test('pages of a timeline repeat and lose nothing at one moment', async () => {
  // The 45th to the 60th newest share a moment, where the first page would end.
  const times = Array.from({ length: 130 }, (_, index) => START_MS - (index >= 45 && index < 60 ? 45 : index) * 1_000)
  for (const [index, time] of times.entries())
    await db.query(
      `insert into notices (id, user_id, kind, key, params, created_at) values ($1, $2, $3, $3, '{}', $4)`,
      [index, USER, `kind_${index}`, new Date(time)],
    )
  const pages: string[][] = []
  let next: string | undefined
  do {
    const page = await readTimeline(db, USER, next === undefined ? undefined : new Date(next))
    pages.push(page.events.map(({ text }) => text.split('  ')[0] ?? ''))
    next = page.next
  } while (next !== undefined)
  expect(pages.map(({ length }) => length)).toEqual([60, 50, 20])
  expect(pages.flat().toSorted()).toEqual(times.map((_, index) => `kind_${index}`).toSorted())
})

test('an address that never signed in has an empty timeline', async () => {
  expect(await readTimeline(db, `0x${'b'.repeat(40)}`)).toEqual({ events: [] })
})

test('each source of a timeline has an index by account', async () => {
  const rows = await db.query<{ source: string }>(
    `select distinct indrelid::regclass || ' ' || attname as source
     from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]`,
  )
  const indexed = new Set(rows.map(({ source }) => source))
  const slow = TIMELINE.map(({ table, account }) => `${table.name} ${account}`).filter((each) => !indexed.has(each))
  expect(slow).toEqual([])
})
