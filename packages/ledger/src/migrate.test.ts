import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from './database.ts'
import { compareVersions, LEDGER_MIGRATIONS, migrate, NewerDatabase } from './migrate.ts'
import { openPostgresDatabase } from './postgres-database.ts'
import { newTestPostgres, openTestDatabase } from './testing/database.ts'

const KNOWN = ['0001_first.sql', '0002_second.sql', '0003_third.sql']
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-migrations-'))
  for (const name of ['0002_second.sql', '0001_first.sql', '0003_third.sql']) {
    await writeFile(join(folder, name), 'select 1;')
  }
})
afterEach(() => rm(folder, { recursive: true }))

/** A database that notes when each script begins and ends, and in which those that contain `failing` fail. */
function slowDatabase(failing?: string): { db: Database; steps: string[] } {
  const steps: string[] = []
  const nameOf = (text: string) => /values \('([^']+)'/.exec(text)?.[1] ?? 'the table of migrations'
  const db: Partial<Database> = {
    query: async () => {
      steps.push('look')
      return []
    },
    async script(text) {
      steps.push(`begin ${nameOf(text)}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (failing && text.includes(failing)) throw new Error(`${failing} fails`)
      steps.push(`end ${nameOf(text)}`)
    },
  }
  return { db: db as Database, steps }
}

test('runs migrations in order after creating the table that records them', async () => {
  const { db, steps } = slowDatabase()
  await migrate(db, [folder])
  expect(steps).toEqual([
    'begin the table of migrations',
    'end the table of migrations',
    'look',
    ...KNOWN.flatMap((name) => [`begin ${name}`, `end ${name}`]),
  ])
})

test('throws when a migration fails and skips the later ones', async () => {
  const { db, steps } = slowDatabase('0002_second.sql')
  await expect(migrate(db, [folder])).rejects.toThrow('0002_second.sql fails')
  expect(steps).toContain('end 0001_first.sql')
  expect(steps.join()).not.toContain('0003')
})

const CONTRACT = '-- contract: needs 0.3.0\nselect 1;'

/** Runs these migrations as version 0.4.0, then those of the version `own`, which knows the first three only. */
async function openAs(own: string, newer: Readonly<Record<string, string>>, mend = 'select 1'): Promise<unknown> {
  const db = await openTestDatabase([folder])
  try {
    for (const [name, sql] of Object.entries(newer)) await writeFile(join(folder, name), sql)
    await migrate(db, [folder], '0.4.0')
    await db.script(mend)
    for (const name of Object.keys(newer)) await rm(join(folder, name))
    return await migrate(db, [folder], own).catch((error: unknown) => error)
  } finally {
    await db.close()
  }
}

test('a newer contract is refused by name and version', async () => {
  const refused = await openAs('0.2.0', { '0004_fourth.sql': 'select 1;', '0005_fifth.sql': CONTRACT })
  expect(refused).toBeInstanceOf(NewerDatabase)
  expect(String(refused)).toContain(
    'The database is newer than this version, 0.2.0: it has the migration 0005_fifth.sql of version 0.4.0, which needs version 0.3.0 or later.',
  )
})

test('a newer expansion, and a contract of older parts, are accepted', async () => {
  expect(await openAs('0.2.0', { '0004_fourth.sql': 'select 1;' })).toEqual([])
  expect(await openAs('0.3.0', { '0005_fifth.sql': CONTRACT })).toEqual([])
})

test('an unknown migration without a version is refused', async () => {
  const refused = await openAs('0.2.0', { '0004_fourth.sql': 'select 1;' }, 'update migrations set version = null')
  expect(String(refused)).toContain('it has the migration 0004_fourth.sql, which this version does not know.')
})

test('each migration is stored with the version that ran it', async () => {
  const db = await openTestDatabase([folder])
  await writeFile(join(folder, '0004_fourth.sql'), CONTRACT)
  await migrate(db, [folder], '0.4.0')
  const read = "select version, needs from migrations where name = '0004_fourth.sql'"
  expect(await db.query(read)).toEqual([{ version: '0.4.0', needs: '0.3.0' }])
  await db.close()
})

test('versions are compared by number', () => {
  expect(['0.10.0', '0.2.1', '0.2.0', '1.0.0'].toSorted(compareVersions)).toEqual(['0.2.0', '0.2.1', '0.10.0', '1.0.0'])
})

// PGlite has one connection, so no other process can come in between.
if (process.env.TEST_DATABASE === 'postgres') {
  test('servers that start together on an empty database all find it migrated', async () => {
    const { url, drop } = await newTestPostgres()
    const databases = await Promise.all([1, 2, 3].map(() => openPostgresDatabase(url)))
    const outcomes = await Promise.allSettled(databases.map((each) => migrate(each, [LEDGER_MIGRATIONS])))
    expect(outcomes.map((each) => each.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    await Promise.all(databases.map((each) => each.close()))
    await drop()
  })
}
