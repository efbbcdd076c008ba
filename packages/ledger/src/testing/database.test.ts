import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { LEDGER_MIGRATIONS } from '../migrate.ts'
import { openTestDatabase } from './database.ts'

test('opens an unused database after another was changed', async () => {
  const before = await openTestDatabase()
  const asNew = await lookAt(before)
  await before.script(`
    update writer_lease set fence = 7;
    insert into balances (account, asset, units) values ('revenue', 'USDT', 1);
    create table left_behind (id integer);
    drop view postings;
    set enable_seqscan = off;
    select pg_advisory_lock(7);
  `)
  expect(await lookAt(before)).not.toEqual(asNew)
  await before.close()
  await expect(before.query('select 1')).rejects.toThrow()

  const next = await openTestDatabase()
  expect(await lookAt(next)).toEqual(asNew)
  await next.close()
})

test('resets a database whose rows were changed and opens it again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-numbered-'))
  await writeFile(
    join(folder, '9000_numbered.sql'),
    `create table numbered (id bigint generated always as identity primary key, word text not null);
     insert into numbered (word) values ('it''s first');`,
  )
  const folders = [LEDGER_MIGRATIONS, folder]
  const before = await openTestDatabase(folders)
  const asNew = await lookAt(before)
  await before.transaction(async (tx) => {
    await tx.query('update writer_lease set fence = 7')
    await tx.query(`insert into numbered (word) select 'more' from generate_series(1, 20000)`)
  })
  await before.commitInOrder([
    { text: `insert into balances (account, asset, units) values ('revenue', 'USDT', 1)`, params: [] },
  ])
  await before.close()
  await expect(before.query('select 1')).rejects.toThrow('the test has closed this database')

  const next = await openTestDatabase(folders)
  expect(await lookAt(next)).toEqual(asNew)
  const [numbered] = await next.query<{ id: bigint }>(`insert into numbered (word) values ('second') returning id`)
  expect(numbered?.id).toBe(2n)
  await next.close()
  await rm(folder, { recursive: true })
})

test("resets a test's own tables, and tables that it truncated", async () => {
  const open = () => openTestDatabase([LEDGER_MIGRATIONS], 'create table test_words (word text primary key)')
  const before = await open()
  const asNew = await lookAt(before)
  expect(asNew.rows).toHaveProperty('test_words', [])
  await before.script("insert into test_words values ('one')")
  await before.script('truncate writer_lease')
  expect(await lookAt(before)).not.toEqual(asNew)
  await before.close()

  const next = await open()
  expect(await lookAt(next)).toEqual(asNew)
  await next.close()
  const without = await openTestDatabase()
  expect((await lookAt(without)).rows).not.toHaveProperty('test_words')
  await without.close()
})

test('isolates two databases that are open at the same time', async () => {
  const [one, other] = await Promise.all([openTestDatabase(), openTestDatabase()])
  const asNew = await lookAt(other)
  await one.query(`insert into balances (account, asset, units) values ('revenue', 'USDT', 1)`)
  expect(await lookAt(other)).toEqual(asNew)
  await one.close()
  expect(await lookAt(other)).toEqual(asNew)
  await other.close()
})

/** Its relations, all rows of its tables, and what its session has set and holds. */
async function lookAt(db: Database) {
  const relations = await db.query<{ name: string; kind: string; columns: number }>(
    `select relname as name, relkind as kind, relnatts as columns from pg_class
     where relnamespace = 'public'::regnamespace order by relname`,
  )
  const rows: Record<string, unknown> = {}
  for (const { name } of relations.filter(({ kind }) => kind === 'r')) {
    rows[name] = await db.query(`select to_json(each) as row from ${name} each`)
  }
  const settings = await db.query(`select name, setting from pg_settings where source = 'session' order by name`)
  const locks = await db.query(`select objid from pg_locks where locktype = 'advisory' and database =
    (select oid from pg_database where datname = current_database())`)
  return { relations, rows, settings, locks }
}
