import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { type Database, sqlState } from './database.ts'

/** Folder of the ledger's own migrations. */
export const LEDGER_MIGRATIONS = join(import.meta.dirname, '../migrations')

/** The database has a migration that this version does not know, and cannot work with. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase'
}

interface RanMigration {
  readonly name: string
  readonly sha256: string
  /** The version that ran it; null where that version stored none. */
  readonly version: string | null
  /** The oldest version that works after it; null where each does. */
  readonly needs: string | null
}

/** The columns for older versions came with 0.2.0. */
const TABLE = `
  create table if not exists migrations (name text primary key, sha256 text not null, ran_at timestamptz not null default now());
  alter table migrations add column if not exists version text, add column if not exists needs text;`

/**
 * Brings the schema up to date. Runs each `.sql` file that has not run yet, in the order of the file names. One transaction
 * per file also records that it ran. PGlite and PostgreSQL use the same files.
 *
 * @param version the version of this product, which is stored with each migration.
 * @returns the names of those that it ran.
 * @throws NewerDatabase if a newer version has removed what this one uses.
 * @throws Error if a file was changed after it ran: a finished migration is never edited.
 */
export async function migrate(
  db: Database,
  folders: readonly string[],
  version: string = manifest.version,
): Promise<readonly string[]> {
  // When two servers start at the same time, one may fail here. The table exists then.
  await db.script(TABLE).catch(() => db.script(TABLE))
  const rows = await db.query<RanMigration>('select name, sha256, version, needs from migrations order by name')
  const ran = new Map(rows.map((row) => [row.name, row.sha256]))
  const migrations = await readMigrations(folders)
  refuseNewer(rows, new Set(migrations.map(({ name }) => name)), version)
  const added: string[] = []
  for (const { name, sql } of migrations) {
    const sha256 = createHash('sha256').update(sql).digest('hex')
    const before = ran.get(name)
    if (before === sha256) continue
    if (before !== undefined) throw new Error(`migration ${name} was changed after it ran`)
    const values = [name, sha256, version, neededVersion(sql)].map(quoted).join(', ')
    const record = `insert into migrations (name, sha256, version, needs) values (${values});`
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

/** @throws NewerDatabase for the first unknown migration after which this version does not work. */
function refuseNewer(ran: readonly RanMigration[], known: ReadonlySet<string>, own: string): void {
  for (const { name, version, needs } of ran) {
    if (known.has(name) || (version !== null && (needs === null || compareVersions(own, needs) >= 0))) continue
    const what =
      version === null
        ? `has the migration ${name}, which this version does not know.`
        : `has the migration ${name} of version ${version}, which needs version ${needs} or later.`
    throw new NewerDatabase(`The database is newer than this version, ${own}: it ${what}`)
  }
}

/** Reads the oldest version that works after a migration, from its line `-- contract: needs 0.3.0`. */
export function neededVersion(sql: string): string | null {
  return /^-- contract: needs (\d+\.\d+\.\d+)$/m.exec(sql)?.[1] ?? null
}

/** Compares two versions as `a - b` compares numbers. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  return left?.map((part, index) => part - (right?.[index] ?? 0)).find((difference) => difference !== 0) ?? 0
}

function quoted(value: string | null): string {
  return value === null ? 'null' : `'${value.replaceAll("'", "''")}'`
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
