import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newTestPostgres } from '@clearwell/ledger/testing/database'
import { afterEach, expect, test } from 'vitest'
import { loadConfig } from '../../load-config.ts'
import { freePort } from '../http/ports.ts'
import { MIGRATION_FOLDERS, openDatabases } from './open-database.ts'

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find((path) =>
  existsSync(path),
)
/** Skipped where PgBouncer is not installed (Debian: pgbouncer). */
const canRun = process.env.TEST_DATABASE === 'postgres' && PROGRAM !== undefined
const IGNORED = 'ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Starts PgBouncer in front of a test database. @returns the address of that database behind it. */
async function startPooler(settings: readonly string[]): Promise<string> {
  const { url, drop } = await newTestPostgres(MIGRATION_FOLDERS)
  ends.push(drop)
  const { username, password, hostname, port, pathname } = new URL(url)
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-pooler-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const own = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port} user=${username} password=${password}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${own}\nauth_type = any\nunix_socket_dir =`,
    ...settings,
  ]
  await writeFile(file, lines.join('\n'))
  // PgBouncer refuses to run as root.
  await chmod(folder, 0o755)
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const child = spawn(PROGRAM ?? '', ['-q', ...user, file], { stdio: 'ignore' })
  const gone = once(child, 'exit')
  ends.push(async () => {
    child.kill('SIGKILL')
    await gone
  })
  await expect.poll(() => isListening(own)).toBe(true)
  return `postgres://${username}:${password}@127.0.0.1:${own}${pathname}`
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}

async function open(url: string) {
  const { env } = await loadConfig({ DATABASE_URL: url })
  const database = { readConnections: 2, readTimeoutMs: 5_000, writeTimeoutMs: 15_000 }
  return openDatabases({ env, database }, () => {})
}

test.runIf(canRun)('a pooler that rejects the time limits is named', async () => {
  const url = await startPooler(['pool_mode = session'])
  await expect(open(url)).rejects.toThrow(
    /^A pooler such as PgBouncer at DATABASE_URL refuses the connection: unsupported startup parameter: \w+\. Connect to /,
  )
})

test.runIf(canRun)('a pooler in transaction mode is named', async () => {
  const url = await startPooler(['pool_mode = transaction', IGNORED])
  await expect(open(url)).rejects.toThrow(/^A pooler such as PgBouncer at DATABASE_URL is in transaction mode, /)
})

test.runIf(canRun)('a pooler in statement mode is named', async () => {
  const url = await startPooler(['pool_mode = statement', IGNORED])
  await expect(open(url)).rejects.toThrow(/^A pooler such as PgBouncer at DATABASE_URL /)
})

test.runIf(canRun)('a pooler in session mode works', async () => {
  const { db, writerDb } = await open(await startPooler(['pool_mode = session', IGNORED]))
  await writerDb.commitInOrder([{ text: 'select count_batch(0, 0)', params: [] }])
  expect(await db.query('select batch from writer_lease')).toEqual([{ batch: 1n }])
  await Promise.all([db.close(), writerDb.close()])
})
