import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, sqlState } from './database.ts'

/** Folder of the ledger's own migrations. */
export const LEDGER_MIGRATIONS = join(import.meta.dirname, '../migrations')

/**
 * Brings the schema up to date. Runs each `.sql` file that has not run yet, in the order of the file names. One transaction
 * per file also records that it ran. PGlite and PostgreSQL use the same files.
 *
 * @returns the names of those that it ran.
 * @throws if a file was changed after it ran: a finished migration is never edited.
 */
export async function migrate(db: Database, folders: readonly string[]): Promise<readonly string[]> {
  const table =
    'create table if not exists migrations (name text primary key, sha256 text not null, ran_at timestamptz not null default now())'
  // When two servers start at the same time, one may fail here. The table exists then.
  await db.script(table).catch(() => db.script(table))
  const ran = new Map(
    (await db.query<{ name: string; sha256: string }>('select name, sha256 from migrations')).map((row) => [
      row.name,
      row.sha256,
    ]),
  )
  const added: string[] = []
  for (const { name, sql } of await readMigrations(folders)) {
    const sha256 = createHash('sha256').update(sql).digest('hex')
    const before = ran.get(name)
    if (before === sha256) continue
    if (before !== undefined) throw new Error(`migration ${name} was changed after it ran`)
    const record = `insert into migrations (name, sha256) values ('${name.replaceAll("'", "''")}', '${sha256}');`
    // The row comes first: another server that runs the same migration waits there, then finds that it is done.
    await db.script(`begin;\n${record}\n${sql}\ncommit;`).then(
      () => added.push(name),
      async (error) => {
        const [done] = await db.query<{ sha256: string }>('select sha256 from migrations where name = $1', [name])
        if (sqlState(error) !== '23505' || done?.sha256 !== sha256) throw error
      },
    )
  }
  return added
}

/** Reads the migrations in these folders, in the order in which they run. */
export async function readMigrations(folders: readonly string[]): Promise<{ name: string; sql: string }[]> {
  const files = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder))
        .filter((name) => name.endsWith('.sql'))
        .map((name) => ({ name, path: join(folder, name) })),
    ),
  )
  const ordered = files.flat().sort((a, b) => (a.name < b.name ? -1 : 1))
  return Promise.all(ordered.map(async ({ name, path }) => ({ name, sql: await readFile(path, 'utf8') })))
}
