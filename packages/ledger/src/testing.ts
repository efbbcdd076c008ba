import { createHash, randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { auditBooks } from './audit.ts'
import type { Database, Queryable } from './database.ts'
import { LEDGER_MIGRATIONS, migrate, readMigrations } from './migrate.ts'
import { pgliteDatabase } from './pglite-database.ts'
import { openPostgresDatabase } from './postgres-database.ts'

/**
 * A fresh, empty, migrated database for one test: PGlite in memory, or a new database on the PostgreSQL at
 * `TEST_DATABASE_URL` where `TEST_DATABASE` is `postgres`.
 */
export async function openTestDatabase(folders: readonly string[] = [LEDGER_MIGRATIONS]): Promise<Database> {
  if (process.env.TEST_DATABASE !== 'postgres') return newPgliteDatabase(folders)
  const db = await newPostgresDatabase()
  await migrate(db, folders)
  return db
}

/** Setting PGlite up anew takes seconds, so a migrated one is kept in the temp folder under the hash of its migrations. */
async function newPgliteDatabase(folders: readonly string[]): Promise<Database> {
  const hash = createHash('sha256').update(JSON.stringify(await readMigrations(folders)))
  const file = join(tmpdir(), `clearwell-pglite-${hash.digest('hex').slice(0, 16)}.tar`)
  const kept = await readFile(file).catch(() => undefined)
  if (kept) return pgliteDatabase(await PGlite.create({ loadDataDir: new Blob([kept]) }))
  const pglite = await PGlite.create()
  const db = pgliteDatabase(pglite)
  await migrate(db, folders)
  // Renamed into place: another test process must never read half a file.
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`
  await writeFile(unfinished, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()))
  await rename(unfinished, file)
  return db
}

async function newPostgresDatabase(): Promise<Database> {
  const url = process.env.TEST_DATABASE_URL
  if (!url) throw new Error('TEST_DATABASE is postgres, but TEST_DATABASE_URL names none')
  const name = `test_${randomBytes(8).toString('hex')}`
  const server = await openPostgresDatabase(url, { maxConnections: 1 })
  await server.script(`create database ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  const db = await openPostgresDatabase(own.href)
  return {
    ...db,
    async close() {
      await db.close()
      await server.script(`drop database ${name} with (force)`)
      await server.close()
    },
  }
}

/** What every test that moved money ends with. */
export async function expectBooksBalanced(db: Queryable): Promise<void> {
  const faults = await auditBooks(db)
  if (faults.length > 0) throw new Error(`the books are wrong:\n${faults.join('\n')}`)
}
