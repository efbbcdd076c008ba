import { execFile, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyMigratedPglite } from '@clearwell/ledger/testing/database'
import { MIGRATION_FOLDERS, PGLITE_FOLDER } from '@clearwell/server/src/platform/database/open-database.ts'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'

const root = join(import.meta.dirname, '..')

/** A server with its own chain and clock. */
export interface OwnServer {
  readonly baseURL: string
  readonly chainPort: number
  /** The server's output to its operator so far: bugs and alarms. */
  alarms(): string
  /** Kills the server's chain, as if its node had failed. */
  endChain(): Promise<void>
  /** Runs the operator's command line with the server's environment. @throws if the command fails. */
  operator(...words: string[]): Promise<string>
  stop(): Promise<void>
}

/**
 * Starts another server beside the shared one, for changes that would affect every test there: moving the clock, pausing
 * the vault, suspending a pool. It serves the web app that the shared server built. Its PGlite is a copy that is migrated
 * already: making one takes six of the nine seconds of a first start, which the shared server shows.
 *
 * @param more environment variables, such as a database that the operator's command line can share.
 * @param words options of the command line, such as `--demo`.
 */
export async function startOwnServer(
  more: Readonly<Record<string, string>> = {},
  words: readonly string[] = [],
): Promise<OwnServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'clearwell-e2e-own-'))
  const [port, chainPort] = [await freePort(), await freePort()]
  if (more.DATABASE_URL === undefined) await copyMigratedPglite(join(dataDir, PGLITE_FOLDER), MIGRATION_FOLDERS)
  const env = {
    ...process.env,
    PROFILE: 'local',
    PORT: String(port),
    CHAIN_PORT: String(chainPort),
    METRICS_PORT: 'off',
    LOCAL_BOOKKEEPER: 'off',
    DATA_DIR: dataDir,
    ...more,
  }
  const child = spawn(process.execPath, [join(root, 'demo/src/main.ts'), ...words], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let alarms = ''
  child.stderr.on('data', (chunk: Buffer) => {
    alarms += chunk
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const isReady = await Promise.race([
    new Promise<boolean>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => String(chunk).includes('ready http') && resolve(true))
    }),
    ended.then(() => false),
  ])
  if (!isReady) throw new Error(`a separate server did not start: ${alarms}`)
  return {
    baseURL: `http://127.0.0.1:${port}`,
    chainPort,
    alarms: () => alarms,
    async endChain() {
      process.kill(Number(await readFile(join(dataDir, 'chain/anvil.pid'), 'utf8')), 'SIGKILL')
    },
    operator: (...words) =>
      new Promise((resolve, reject) => {
        const args = [join(root, 'apps/server/src/operator.ts'), ...words]
        execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) =>
          error ? reject(new Error(`operator ${words.join(' ')}: ${stderr}${stdout}`)) : resolve(stdout),
        )
      }),
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const [DAY_MS, NOON_IN_UTC_MS] = [86_400_000, 4 * 3_600_000]
/** Of a month. Tests let at most a few days pass before they look at the calendar. */
const LAST_EARLY_DATE = 20

/**
 * Moves a server's clock to a coming noon in Hong Kong, of one of the first days of a month. After each day that a test then lets
 * pass, the boxes clicked on the day before are divided, which happens half an hour after midnight at the earliest. The calendar
 * shows a month.
 */
export async function moveToNoon({ baseURL }: Pick<OwnServer, 'baseURL'>): Promise<void> {
  const { data } = (await (await fetch(`${baseURL}/api/config`)).json()) as { data: { time: string } }
  const nowMs = Date.parse(data.time)
  let noonMs = nowMs - ((nowMs - NOON_IN_UTC_MS) % DAY_MS) + DAY_MS
  // Noon in Hong Kong is on the same day in UTC.
  while (new Date(noonMs).getUTCDate() > LAST_EARLY_DATE) noonMs += DAY_MS
  const seconds = String(Math.ceil((noonMs - nowMs) / 1_000))
  const moved = await fetch(`${baseURL}/api/Local/advance`, { method: 'POST', body: new URLSearchParams({ seconds }) })
  if (!moved.ok) throw new Error(`the clock did not move: ${await moved.text()}`)
}
