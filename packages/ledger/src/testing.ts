import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { auditBooks } from './audit.ts'
import type { Database, Queryable } from './database.ts'
import { LEDGER_MIGRATIONS, migrate, readMigrations } from './migrate.ts'
import { openPgliteDatabase, pgliteDatabase } from './pglite-database.ts'
import { openPostgresDatabase } from './postgres-database.ts'

/**
 * A fresh, empty, migrated database for one test: PGlite in memory, or a new database on the PostgreSQL at
 * `TEST_DATABASE_URL` where `TEST_DATABASE` is `postgres`.
 */
export async function openTestDatabase(folders: readonly string[] = [LEDGER_MIGRATIONS]): Promise<Database> {
  if (process.env.TEST_DATABASE !== 'postgres') return newPgliteDatabase(folders)
  return newPostgresDatabase(folders)
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

async function newPostgresDatabase(folders: readonly string[]): Promise<Database> {
  const { url, drop } = await newTestPostgres(folders)
  const db = await openPostgresDatabase(url)
  return {
    ...db,
    async close() {
      await db.close()
      await drop()
    },
  }
}

/** A new database on the PostgreSQL at `TEST_DATABASE_URL`: empty, or migrated by these folders. */
export async function newTestPostgres(
  folders: readonly string[] = [],
): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL
  if (!server) throw new Error('TEST_DATABASE is postgres, but TEST_DATABASE_URL names none')
  const name = `test_${randomBytes(8).toString('hex')}`
  const admin = await openPostgresDatabase(server, { maxConnections: 2 })
  const template = folders.length === 0 ? undefined : await migratedTemplate(admin, server, folders)
  await admin.query(`create database ${name}${template ? ` template ${template}` : ''}`)
  await admin.close()
  return {
    url: databaseUrl(server, name),
    async drop() {
      const db = await openPostgresDatabase(server, { maxConnections: 1 })
      await db.query(`drop database ${name} with (force)`)
      await db.close()
    },
  }
}

/** Migrating a database takes several times as long as copying one, so one is kept under the hash of its migrations. */
async function migratedTemplate(admin: Database, server: string, folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(await readMigrations(folders)))
  const name = `template_${hash.digest('hex').slice(0, 16)}`
  const isThere = async () => (await admin.query('select 1 from pg_database where datname = $1', [name])).length > 0
  if (await isThere()) return name
  const unfinished = `${name}_${randomBytes(4).toString('hex')}`
  await admin.query(`create database ${unfinished}`)
  const db = await openPostgresDatabase(databaseUrl(server, unfinished), { maxConnections: 1 })
  await migrate(db, folders)
  await db.close()
  // Renamed into place: nobody must copy half of it. Where another process was faster, its template serves as well.
  await admin.query(`alter database ${unfinished} rename to ${name}`).catch(async (error: unknown) => {
    if (!(await isThere())) throw error
    await admin.query(`drop database ${unfinished} with (force)`)
  })
  return name
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/**
 * Puts a migrated PGlite into `folder`, which must not exist: a copy of one that is kept in the temp folder under the
 * hash of its migrations, which takes a tenth of setting it up anew.
 */
export async function copyMigratedPglite(folder: string, migrations: readonly string[]): Promise<void> {
  const hash = createHash('sha256').update(JSON.stringify(await readMigrations(migrations)))
  const kept = join(tmpdir(), `clearwell-pglite-${hash.digest('hex').slice(0, 16)}`)
  if (!(await stat(kept).catch(() => undefined))) {
    const unfinished = `${kept}.${randomBytes(4).toString('hex')}`
    const db = await openPgliteDatabase(unfinished)
    await migrate(db, migrations)
    await db.close()
    // Renamed into place, as above; where another process was faster, its copy serves as well.
    await rename(unfinished, kept).catch(() => rm(unfinished, { recursive: true, force: true }))
  }
  await mkdir(dirname(folder), { recursive: true })
  await promisify(execFile)('cp', ['-r', kept, folder])
}

/** What every test that moved money ends with. */
export async function expectBooksBalanced(db: Queryable): Promise<void> {
  const faults = await auditBooks(db)
  if (faults.length > 0) throw new Error(`the books are wrong:\n${faults.join('\n')}`)
}
