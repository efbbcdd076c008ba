import { execFile, spawnSync } from 'node:child_process'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import type { ThrowawayPostgres } from '../../../scripts/postgres.ts'

const ROOT = join(import.meta.dirname, '../../..')
export const RECIPE = 'restore-a-backup'

/** Debian's package `pgbackrest` has it; `.ci/run` installs it. */
export const hasPgBackRest = spawnSync('pgbackrest', ['version']).status === 0
export const WITHOUT_PGBACKREST = 'pgBackRest is not installed (Debian: pgbackrest)'

/** A running PostgreSQL, with the database that has the ledger. */
type Running = Pick<ThrowawayPostgres, 'url' | 'binaries'>

/** A way to back a database up and to restore it, with the commands of docs/recipes/restore-a-backup.md. */
export interface BackupTools {
  /** Settings of PostgreSQL, so that it archives its log. */
  readonly settings: Readonly<Record<string, string>>
  /** The commands of the page's first step, for a running database. */
  backUp(postgres: Running): Promise<void>
  /** Ends the present file of the log, and returns once it is archived. */
  archive(postgres: Running): Promise<void>
  /** Restores to a moment. @returns the new data folder. */
  restore(moment: string): Promise<string>
  /** The command of the page's last step, for the restored database. */
  backUpAgain(postgres: Running): Promise<void>
}

/**
 * pgBackRest, with its files below `folder` in place of the machine's root.
 *
 * @param folder that every user may write to: PostgreSQL runs as another user where this runs as root.
 */
export async function preparePgBackRest(folder: string): Promise<BackupTools> {
  const page = await readRecipe()
  const [setUp = '', first = '', restore = '', last = ''] = page.shell
  const move = (text: string) =>
    text.replaceAll('/opt/clearwell', ROOT).replaceAll(/\/(etc|var\/lib)\/pgbackrest/g, (path) => join(folder, path))
  const isRoot = process.getuid?.() === 0
  const config = join(folder, 'etc/pgbackrest/pgbackrest.conf')
  await run(isRoot ? move(setUp) : move(setUp).replaceAll(' -o postgres -g postgres', ''), {})
  await mkdir(join(folder, 'try'))
  await chmod(join(folder, 'try'), 0o777)
  const places = { PGBACKREST_CONFIG: config, PGBACKREST_CONFIG_INCLUDE_PATH: join(folder, 'etc/pgbackrest/conf.d') }
  const prefix = Object.entries(places).map(([name, value]) => `${name}=${value} `)
  let variables: Record<string, string> = {}
  let owner: { readonly uid: number; readonly gid: number } | undefined
  const asOwner = (text: string, others: Record<string, string> = {}) =>
    run(move(text), { ...variables, ...others }, owner)

  /** Writes into the file what the page leaves to its reader, and leads psql to this database. */
  async function use({ url, binaries }: Running): Promise<void> {
    const { port, username, password, pathname } = new URL(url)
    const { data, sockets } = await placesOf(url)
    owner = await stat(data)
    const text = move(await readFile(join(ROOT, 'deploy/pgbackrest/pgbackrest.conf'), 'utf8'))
    const connection = { 'pg1-port': port, 'pg1-socket-path': sockets, 'pg1-user': username }
    const lines = Object.entries(connection).map(([name, value]) => `${name}=${value}\n`)
    const changed = text.replace(/^pg1-path=.*\n/m, `pg1-path=${data}\n${lines.join('')}`)
    await writeFile(config, changed.replace('[global]\n', `[global]\nlock-path=${join(folder, 'try/lock')}\n`))
    const database = {
      PGHOST: sockets,
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: password,
      PGDATABASE: pathname.slice(1),
    }
    variables = { ...places, ...database, TRY_FOLDER: join(folder, 'try'), PATH: `${binaries}:${process.env.PATH}` }
  }
  return {
    settings: { ...page.settings, archive_command: prefix.join('') + page.settings.archive_command },
    async backUp(postgres) {
      await use(postgres)
      await asOwner(first)
    },
    archive: () => asOwner('pgbackrest --stanza=clearwell check'),
    async restore(moment) {
      const restored = join(folder, 'try/restored')
      await asOwner(restore, { RESTORED: restored, MOMENT: moment })
      // The database reads its archive by a command that names no file.
      const settings = join(restored, 'postgresql.auto.conf')
      const text = await readFile(settings, 'utf8')
      await writeFile(settings, text.replace("restore_command = '", `restore_command = '${prefix.join('')}`))
      return restored
    },
    async backUpAgain(postgres) {
      await use(postgres)
      await asOwner(last)
    },
  }
}

/** PostgreSQL's own tools, from the section "Without pgBackRest". */
export async function prepareOwnTools(folder: string): Promise<BackupTools> {
  const { shell, settings, ownArchiveCommand } = await readRecipe()
  const [backUp = '', restore = ''] = shell.slice(-2)
  const ARCHIVE = join(folder, 'archive')
  const paths = { ARCHIVE, BACKUP: join(folder, 'backup'), RESTORED: join(folder, 'restored') }
  await mkdir(ARCHIVE)
  await chmod(ARCHIVE, 0o777)
  return {
    settings: { ...settings, archive_command: ownArchiveCommand.replaceAll('$ARCHIVE', ARCHIVE) },
    backUp: ({ url, binaries }) =>
      run(backUp, { ...paths, PATH: `${binaries}:${process.env.PATH}`, DATABASE_URL: url }),
    async archive({ url }) {
      const [row] = await ask<{ segment: string }>(url, 'select pg_walfile_name(pg_switch_wal()) as segment')
      const wanted = join(ARCHIVE, row?.segment ?? '')
      await run('for try in $(seq 200); do [ -f "$WANTED" ] && exit; sleep 0.1; done; exit 1', { WANTED: wanted })
    },
    async restore(moment) {
      await run(restore, { ...paths, MOMENT: moment })
      return paths.RESTORED
    },
    backUpAgain: async () => {},
  }
}

/** The commands and settings of the page. */
async function readRecipe() {
  const page = await readFile(join(ROOT, `docs/recipes/${RECIPE}.md`), 'utf8')
  const blocks = (language: string) =>
    [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text)
  const settingsOf = (text = '') =>
    Object.fromEntries(
      [...text.matchAll(/^(\w+) = (.*)$/gm)].map(([, name, value = '']) => [name, value.replaceAll("'", '')]),
    )
  const [settings, own] = blocks('ini').map(settingsOf)
  return {
    shell: blocks('sh'),
    settings: { wal_level: 'replica', full_page_writes: 'on', ...settings } as Record<string, string>,
    ownArchiveCommand: own?.archive_command ?? '',
  }
}

async function placesOf(url: string) {
  const [row] = await ask<{ data: string; sockets: string }>(
    url,
    "select current_setting('data_directory') as data, current_setting('unix_socket_directories') as sockets",
  )
  return { data: row?.data ?? '', sockets: row?.sockets ?? '' }
}

async function ask<Row extends object>(url: string, text: string): Promise<Row[]> {
  const db = await openPostgresDatabase(url, { maxConnections: 1 })
  try {
    return await db.query<Row>(text)
  } finally {
    await db.close()
  }
}

async function run(text: string, variables: Record<string, string>, owner?: { uid: number; gid: number }) {
  const as = owner && process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {}
  await promisify(execFile)('bash', ['-euc', text], { cwd: '/', env: { ...process.env, ...variables }, ...as })
}
