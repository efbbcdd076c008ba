import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from './database.ts'
import { LEDGER_MIGRATIONS, migrate } from './migrate.ts'
import { openPostgresDatabase } from './postgres-database.ts'
import { newTestPostgres } from './testing/database.ts'

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
  const names = ['0001_first.sql', '0002_second.sql', '0003_third.sql']
  expect(steps).toEqual([
    'begin the table of migrations',
    'end the table of migrations',
    'look',
    ...names.flatMap((name) => [`begin ${name}`, `end ${name}`]),
  ])
})

test('throws when a migration fails and skips the later ones', async () => {
  const { db, steps } = slowDatabase('0002_second.sql')
  await expect(migrate(db, [folder])).rejects.toThrow('0002_second.sql fails')
  expect(steps).toContain('end 0001_first.sql')
  expect(steps.join()).not.toContain('0003')
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
