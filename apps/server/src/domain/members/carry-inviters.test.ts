import type { State } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../../platform/database/open-database.ts'
import { carryInviters, MOST_CARRIED, readInviters } from './carry-inviters.ts'
import { members } from './members.ts'
import { inviters, memberships } from './memberships.ts'

const AT = new Date('2026-11-29T09:00:00Z')
/** More users than one command carries; the inviter of each is the next one. */
const IDS = Array.from({ length: MOST_CARRIED + 4 }, (_, index) => `0x${`${index}`.padStart(40, '0')}`)
const [FIRST, SECOND, THIRD, FOURTH] = IDS as [string, string, string, string]

let db: Database
beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  for (const [index, id] of IDS.toReversed().entries())
    await db.query(`insert into users (id, invite_code, parent_id, nickname, created_at) values ($1, $2, $3, '', $4)`, [
      id,
      `C${index}`,
      IDS[IDS.length - index] ?? null,
      AT,
    ])
})
beforeEach(async () => {
  await db.query('delete from members')
  await db.query('delete from memberships')
})
afterAll(async () => {
  await expectBooksBalanced(db)
  await db.close()
})

/** The users whom a command carries: both ways must find the same. */
async function carriedBy(user: string) {
  const read = await readInviters(db, user)
  const rows = await Promise.all([inviters, members, memberships].map((table) => table.load(db, IDS)))
  const state = {
    row: (table: unknown, id: string) =>
      rows[[inviters, members, memberships].indexOf(table as never)]?.find((row) => row.id === id),
  } as State
  const written = carryInviters(state, user).map(({ row }) => row)
  expect(read).toEqual(written)
  return read.map(({ id }) => id)
}

test('a command carries its user and sixteen users at most', async () => {
  expect(await carriedBy(FIRST)).toEqual(IDS.slice(0, 16))
  expect(await carriedBy(IDS.at(-2) as string)).toEqual(IDS.slice(-2))
})

test('an inviter with an activation or a lead was carried before', async () => {
  await db.query('insert into members (id, activated_at) values ($1, $2)', [FOURTH, AT])
  expect(await carriedBy(FIRST)).toEqual([FIRST, SECOND, THIRD])
  await db.query(
    'insert into memberships (id, level, leads_0, leads_1, leads_2, leads_3, leads_4) values ($1, 0, 1, 0, 0, 0, 0)',
    [SECOND],
  )
  expect(await carriedBy(FIRST)).toEqual([FIRST])
  // It began an activation and has not paid.
  await db.query('update members set activated_at = null')
  expect(await carriedBy(THIRD)).toEqual(IDS.slice(2, 18))
})

test('an order of an activated user carries no inviter', async () => {
  await db.query('insert into members (id, activated_at) values ($1, $2)', [FIRST, AT])
  expect(await readInviters(db, FIRST)).toEqual([])
})
