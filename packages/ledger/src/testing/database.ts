import { createHash, randomBytes } from 'node:crypto'
import { rename, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { auditBooks } from '../audit.ts'
import type { Database, Queryable } from '../database.ts'
import { LEDGER_MIGRATIONS, migrate, readMigrations } from '../migrate.ts'
import { pgliteDatabase } from '../pglite-database.ts'
import { openPostgresDatabase } from '../postgres-database.ts'
import { copyInMemory, copyIntoFolder } from './kept-files.ts'
import { isUndoneByReset, resetStatement } from './reset-database.ts'

/**
 * An empty, migrated database for one test: PGlite in memory, or a database on the PostgreSQL at `TEST_DATABASE_URL` where
 * `TEST_DATABASE` is `postgres`. It is new, or was closed by a test that changed rows only, and reset.
 *
 * @param ownTables statements that create the test's own tables. A test that creates them later gets a new database each time.
 */
export async function openTestDatabase(
  folders: readonly string[] = [LEDGER_MIGRATIONS],
  ownTables = '',
): Promise<Database> {
  const key = `${process.env.TEST_DATABASE_URL} ${folders} ${ownTables}`
  const closed = closedDatabases.get(key) ?? []
  closedDatabases.set(key, closed)
  const used = closed.pop()
  if (used) {
    const db = await used.open()
    await db.query(used.reset)
    return lend(used, db, closed)
  }
  const { db, ...made } =
    process.env.TEST_DATABASE === 'postgres' ? await newPostgres(folders) : await newPglite(folders)
  if (ownTables) await db.script(ownTables)
  return lend({ ...made, reset: await resetStatement(db) }, db, closed)
}

/** A database that tests use one after another. */
interface LentDatabase {
  /** See {@link resetStatement}. */
  readonly reset: string
  open(): Promise<Database>
  remove(): Promise<void>
}

/** Those that no test uses now, by their migrations. Files of tests share processes, so most tests find one. */
const closedDatabases = new Map<string, LentDatabase[]>()

/** Lends a database to a test until the test closes it. */
function lend(lent: LentDatabase, db: Database, closed: LentDatabase[]): Database {
  let isClosed = false
  let isUndone = true
  const note = (text: string) => {
    if (isClosed) throw new Error(`the test has closed this database: ${text}`)
    isUndone &&= isUndoneByReset(text)
  }
  const noting = (on: Queryable): Queryable => ({
    async query(text, params) {
      note(text)
      return on.query(text, params)
    },
  })
  return {
    ...db,
    ...noting(db),
    async transaction(work) {
      note('select')
      return db.transaction((tx) => work(noting(tx)))
    },
    async commitInOrder(statements) {
      for (const { text } of statements) note(text)
      return db.commitInOrder(statements)
    },
    async script(text) {
      note(text)
      // A second statement is not looked at.
      isUndone &&= !text.includes(';')
      return db.script(text)
    },
    async close() {
      isClosed = true
      await db.close()
      if (isUndone) closed.push(lent)
      else await lent.remove()
    },
  }
}

async function newPglite(folders: readonly string[]) {
  const pglite = await PGlite.create({ fs: await copyInMemory(await keptPglite(folders)) })
  const db = { ...pgliteDatabase(pglite), close: async () => {} }
  return { db, open: async () => db, remove: () => pglite.close() }
}

async function newPostgres(folders: readonly string[]) {
  const { socketUrl, drop } = await newTestPostgres(folders)
  const open = () => openPostgresDatabase(socketUrl)
  return { db: await open(), open, remove: drop }
}

/**
 * Makes the files and buffers smaller than PGlite's defaults, because every test copies the files and zeroes the buffers of
 * its database. This saves two thirds of the time to open one.
 */
const SMALL = ['--wal-segsize=1', '--set=wal_recycle=off', '--set=shared_buffers=8MB']
/** Drops the two template databases, which no test uses. */
const WITHOUT_TEMPLATES = [
  'update pg_database set datistemplate = false',
  'drop database template0',
  'drop database template1',
]

/**
 * Returns the path of an archive of a migrated PGlite. Setting one up takes seconds, so the temp folder caches it under a
 * hash of its inputs.
 */
async function keptPglite(folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([await readMigrations(folders), SMALL, WITHOUT_TEMPLATES]))
  const file = join(tmpdir(), `clearwell-pglite-${hash.digest('hex').slice(0, 16)}.tar`)
  if (await stat(file).catch(() => undefined)) return file
  const pglite = await PGlite.create({ initDbStartParams: SMALL })
  await migrate(pgliteDatabase(pglite), folders)
  // Last, one statement at a time: dropping a database also forces a checkpoint, so opening a copy has nothing to recover.
  for (const statement of WITHOUT_TEMPLATES) await pglite.exec(statement)
  // Rename when complete: another test process must never read half a file.
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`
  await writeFile(unfinished, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()))
  await rename(unfinished, file)
  await pglite.close()
  return file
}

interface TestPostgres {
  /** Through TCP, as in production: for tests of connections, kills and proxies. */
  readonly url: string
  /** Through the server's Unix socket where this process can reach it: a query takes a third less processor time. */
  readonly socketUrl: string
  drop(): Promise<void>
}

/** Creates a database on the PostgreSQL at `TEST_DATABASE_URL`: empty, or migrated with these folders. */
export async function newTestPostgres(folders: readonly string[] = []): Promise<TestPostgres> {
  const server = process.env.TEST_DATABASE_URL
  if (!server) throw new Error('TEST_DATABASE is postgres, but TEST_DATABASE_URL names none')
  const name = `test_${randomBytes(8).toString('hex')}`
  const admin = await openPostgresDatabase(server, { maxConnections: 2 })
  const template = folders.length === 0 ? undefined : await migratedTemplate(admin, server, folders)
  await admin.query(`create database ${name}${template ? ` template ${template}` : ''}`)
  const host = await socketFolder(admin, server)
  await admin.close()
  const url = databaseUrl(server, name)
  return {
    url,
    socketUrl: host ? `${url}?host=${encodeURIComponent(host)}` : url,
    async drop() {
      const db = await openPostgresDatabase(server, { maxConnections: 1 })
      await db.query(`drop database ${name} with (force)`)
      await db.close()
    },
  }
}

/** Returns the folder of the server's Unix socket, or `undefined` where it has none on this machine. */
async function socketFolder(admin: Database, server: string): Promise<string | undefined> {
  const { port, search } = new URL(server)
  if (search !== '') return undefined
  const [row] = await admin.query<{ folder: string }>(
    "select split_part(current_setting('unix_socket_directories'), ',', 1) as folder",
  )
  const folder = row?.folder ?? ''
  const isHere = await stat(join(folder, `.s.PGSQL.${port || 5432}`)).catch(() => undefined)
  return folder !== '' && isHere ? folder : undefined
}

/** Returns the name of a migrated template, cached by a hash of its migrations. Copying is several times faster than migrating. */
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
  // Rename when complete: a test must never copy half of it. If another process was faster, use its template.
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

/** Unpacks a migrated PGlite into `folder`, in a tenth of the time that migrating there takes. */
export async function copyMigratedPglite(folder: string, migrations: readonly string[]): Promise<void> {
  await copyIntoFolder(await keptPglite(migrations), folder)
}

/** Throws unless the books are exact. Every test that moves money ends with it. */
export async function expectBooksBalanced(db: Queryable): Promise<void> {
  const faults = await auditBooks(db)
  if (faults.length > 0) throw new Error(`the books are wrong:\n${faults.join('\n')}`)
}
