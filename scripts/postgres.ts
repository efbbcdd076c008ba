import { execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { accessSync, constants, globSync } from 'node:fs'
import { chown, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'

export interface PostgresOptions {
  /** Off for tests, where nothing has to outlive the machine; on for a figure that is to mean anything. */
  readonly fsync: boolean
  /** Loopback port; a free one by default. */
  readonly port?: number
  /** More settings of `postgresql.conf`, such as `{ shared_buffers: '1GB' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Starts on a copy of this data folder, such as a backup of another server, whose password stays in force. */
  readonly copyOf?: Cluster
  /** Starts on this data folder itself, such as one that was restored. It stays when the server stops. */
  readonly dataIn?: Cluster
  /** Where the server's folder is made; the folder for temporary files by default. */
  readonly within?: string
  /** The folder of the programs; that of the newest installed PostgreSQL by default. */
  readonly binaries?: string
}

/** A data folder with the password of its user. */
interface Cluster {
  readonly data: string
  readonly password: string
}

export interface ThrowawayPostgres {
  /** With user and password, for `pg`, psql and pgbench alike. */
  readonly url: string
  /** The folder of the server's programs, where pgbench is too. */
  readonly binaries: string
  /** True once the process has ended, also by a fault such as a full disk. */
  hasEnded(): boolean
  /** Starts the server again, on the same data and port, after it has ended by a fault. */
  startAgain(): Promise<void>
  /** Stops the server by its process id and removes its data. */
  stop(): Promise<void>
}

/**
 * The server of the tests. Without the worker that counts rows on its own: it would do so at any moment of a test, for hundreds of
 * databases, and PostgreSQL would then plan for the rows of that moment. Its log would grow to a gigabyte before its files are used again.
 */
export const TEST_POSTGRES: PostgresOptions = { fsync: false, settings: { autovacuum: 'off', max_wal_size: '256MB' } }

export const HOW_TO_GET_POSTGRES =
  'Install PostgreSQL 15 or later (Debian and Ubuntu: apt-get install postgresql; macOS: brew install postgresql@17) to run them.'

const run = promisify(execFile)
const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 10_000

/** The folder of the newest installed PostgreSQL's programs, or `undefined` where there is none. */
export function findPostgres(): string | undefined {
  const version = (folder: string) => Number(/(\d+)(?:\/bin)?$/.exec(folder)?.[1] ?? 0)
  const packaged = [
    '/usr/lib/postgresql/*/bin',
    '/opt/homebrew/opt/postgresql@*/bin',
    '/usr/local/opt/postgresql@*/bin',
  ]
    .flatMap((pattern) => globSync(pattern))
    .toSorted((a, b) => version(b) - version(a))
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return [...packaged, ...onPath].find(
    (folder) => isExecutable(join(folder, 'initdb')) && isExecutable(join(folder, 'postgres')),
  )
}

/**
 * Starts a new PostgreSQL in a temporary folder, reachable by a random password on the loopback address only.
 *
 * @throws Error where PostgreSQL is not installed (ask {@link findPostgres} first) or does not start; nothing is left behind.
 */
export async function startPostgres(options: PostgresOptions): Promise<ThrowawayPostgres> {
  const binaries = options.binaries ?? findPostgres()
  if (!binaries) throw new Error(`PostgreSQL is not installed. ${HOW_TO_GET_POSTGRES}`)
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : undefined
  const folder = await mkdtemp(join(options.within ?? tmpdir(), 'clearwell-postgres-'))
  const removeFolder = () => rm(folder, { recursive: true, force: true, maxRetries: 5 })
  try {
    const password = (options.copyOf ?? options.dataIn)?.password ?? randomBytes(24).toString('hex')
    if (options.copyOf) await copyCluster(options.copyOf.data, folder, owner)
    else if (options.dataIn) await linkCluster(options.dataIn.data, folder, owner)
    else await createCluster({ binaries, folder, password, owner })
    const port = options.port ?? (await freePort())
    const args = ['-D', join(folder, 'data'), ...settingsOf(options, port, folder)]
    const start = async () => {
      const server = spawn(join(binaries, 'postgres'), args, {
        ...owner,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const gone = new Promise<void>((resolve) => server.once('exit', () => resolve()))
      await isReady(server)
      return { server, gone }
    }
    let running = await start()

    let stopping: Promise<void> | undefined
    const stop = async () => {
      // SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one.
      const { server, gone } = running
      server.kill('SIGINT')
      const impatience = setTimeout(() => server.kill('SIGQUIT'), STOP_TIMEOUT_MS)
      await gone
      clearTimeout(impatience)
      await removeFolder()
    }
    return {
      url: `postgres://clearwell:${password}@127.0.0.1:${port}/postgres`,
      binaries,
      hasEnded: () => running.server.exitCode !== null || running.server.signalCode !== null,
      async startAgain() {
        await running.gone
        running = await start()
      },
      stop: () => (stopping ??= stop()),
    }
  } catch (error) {
    await removeFolder()
    throw error
  }
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Creates the data folder in `folder`, for one user whose password every connection needs. */
async function createCluster({
  binaries,
  folder,
  password,
  owner,
}: {
  binaries: string
  folder: string
  password: string
  owner: Owner | undefined
}): Promise<void> {
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (owner) await Promise.all([chown(folder, owner.uid, owner.gid), chown(passwordFile, owner.uid, owner.gid)])
  const user = ['-U', 'clearwell', '-A', 'scram-sha-256', '--pwfile', passwordFile]
  const options = ['-D', join(folder, 'data'), '-E', 'UTF8', '--locale=C', '--no-sync']
  await run(join(binaries, 'initdb'), [...options, ...user], { ...owner, cwd: folder })
}

/** Copies a data folder into `folder`. */
async function copyCluster(data: string, folder: string, owner: Owner | undefined): Promise<void> {
  await run('cp', ['-a', data, join(folder, 'data')])
  if (owner) await run('chown', ['-R', `${owner.uid}:${owner.gid}`, folder])
}

/** Puts the data folder into `folder` by a link. */
async function linkCluster(data: string, folder: string, owner: Owner | undefined): Promise<void> {
  await symlink(data, join(folder, 'data'))
  if (owner) await run('chown', ['-RH', `${owner.uid}:${owner.gid}`, data, folder])
}

/** The settings of `postgresql.conf`, as arguments. */
function settingsOf({ fsync, settings }: PostgresOptions, port: number, folder: string): string[] {
  const onOff = fsync ? 'on' : 'off'
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: folder,
    max_connections: '200',
    fsync: onOff,
    synchronous_commit: onOff,
    full_page_writes: onOff,
    ...settings,
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Resolves when the server says that it takes connections. */
function isReady(server: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    const settle = (outcome: () => void) => {
      clearTimeout(timeout)
      server.off('exit', ended).off('error', fail)
      server.stderr?.off('data', read)
      // Or the server would block on a full pipe.
      server.stderr?.resume()
      outcome()
    }
    const fail = (error: Error) => settle(() => reject(new Error(`PostgreSQL did not start: ${error.message}\n${log}`)))
    const ended = () => fail(new Error('it ended at once.'))
    const read = (chunk: Buffer) => {
      log += chunk.toString()
      if (/database system is ready to accept (read-only )?connections/.test(log)) settle(resolve)
    }
    const timeout = setTimeout(() => {
      server.kill('SIGQUIT')
      fail(new Error('it was not ready in time.'))
    }, START_TIMEOUT_MS)
    server.once('exit', ended).once('error', fail)
    server.stderr?.on('data', read)
  })
}

export function unprivilegedUser(): Owner {
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }).toString())
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // There is no such user; the next one.
    }
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and there is neither a user "postgres" nor "nobody" to run it as.',
  )
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
