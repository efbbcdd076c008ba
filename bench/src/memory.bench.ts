import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { formatTable } from '../../scripts/format-table.ts'
import { findPostgres, HOW_TO_GET_POSTGRES, startPostgres } from '../../scripts/postgres.ts'
import type { Bench } from './bench.ts'
import { endLater } from './clean-up.ts'
import { fillTeam } from './fill-team.ts'
import { machine } from './machine.ts'
import { openStreams } from './poll-clients.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { type BenchUser, call, makeUsers } from './users.ts'
import { wholeNumber } from './whole-number.ts'

/** The limits that the figures are held to. An idle server has an aim only. */
const [LIMIT_MB, IDLE_AIM_MB, READY_LIMIT_S] = [400, 150, 3]
const CLIENTS = 8
const EVERY_MS = 5_000
/** How long the server idles, and how long it sends to the streams, before its memory is read. */
const SETTLE_MS = 60_000

export default {
  about:
    'memory of a leader on PostgreSQL with the data of many users: idle, after light use, with streams; and its time to ready (--users 100000, --minutes 60, --streams 2000)',
  run: benchMemory,
} satisfies Bench

/**
 * Reads the resident memory of a leader that serves the local profile, without its chain, which is another process. Its peer is
 * bare Node, which does nothing.
 */
async function benchMemory(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      users: { type: 'string', default: '100000' },
      minutes: { type: 'string', default: '60' },
      streams: { type: 'string', default: '2000' },
    },
  })
  const [members, minutes] = [wholeNumber('--users', values.users), wholeNumber('--minutes', values.minutes)]
  const streams = wholeNumber('--streams', values.streams)
  if (!findPostgres()) throw new Error(HOW_TO_GET_POSTGRES)
  console.log(machine())
  const { server, readyMs, clients } = await startWithUsers(members)
  await sleep(SETTLE_MS)
  const idle = await memoryOf(server.pid)
  console.log(`… ${minutes} minutes of light use`)
  const calls = await useLightly(server, clients, minutes * 60_000)
  const used = await memoryOf(server.pid)
  const open = await openStreams(new URL(server.url), streams)
  await sleep(SETTLE_MS)
  const streaming = await memoryOf(server.pid)
  open.close()
  const rows = [
    ['bare Node (peer)', await bareNode(), ''],
    [`idle for a minute, ${members} users`, idle, `${IDLE_AIM_MB} (aim)`],
    [`after ${minutes} minutes of light use, ${calls} calls`, used, `${LIMIT_MB}`],
    [`with ${streams} streams`, streaming, `${LIMIT_MB}`],
  ] as const
  const cells = rows.map(([what, { resident, anonymous }, limit]) => [what, mb(resident), mb(anonymous), limit])
  console.log(formatTable([['', 'resident MB', 'of it not of files', 'limit'], ...cells]))
  console.log(`start to ready: ${(readyMs / 1_000).toFixed(1)} s (limit ${READY_LIMIT_S})`)
}

interface Started {
  readonly server: ServerProcess
  readonly readyMs: number
  readonly clients: readonly BenchUser[]
}

/** Starts a server on a new database with so many users, and signs in those that will use it. */
async function startWithUsers(members: number): Promise<Started> {
  const postgres = await startPostgres({ fsync: true })
  endLater(postgres.stop)
  const first = await startServerProcess({ DATABASE_URL: postgres.url })
  await first.stop()
  console.log(`… filling ${members} users`)
  const db = await openPostgresDatabase(postgres.url, { maxConnections: 1, maxQueryMs: 600_000 })
  await fillTeam(db, { members, depth: 20, at: new Date() })
  await db.close()
  const startedMs = performance.now()
  const server = await startServerProcess({ DATABASE_URL: postgres.url, DATA_DIR: first.dataDir })
  const readyMs = performance.now() - startedMs
  return { server, readyMs, clients: await makeUsers(server.url, CLIENTS) }
}

/** A few users who look at their money and swap now and then. Returns the number of their calls. */
async function useLightly({ url }: ServerProcess, users: readonly BenchUser[], forMs: number): Promise<number> {
  const untilMs = performance.now() + forMs
  let calls = 0
  const use = async ({ token }: BenchUser) => {
    for (let turn = 0; performance.now() < untilMs; turn++, calls += 4) {
      const sale = turn % 2 === 0 ? ({ amount: '0.01', inverse: 0 } as const) : ({ amount: '6.2', inverse: 1 } as const)
      const deadline = Math.floor(Date.now() / 1_000) + 600
      await call(url, 'pairs', {})
      await call(url, 'balances', {}, token)
      await call(url, 'doSwap', { pool_id: 'bnb-usdt', ...sale, min_amount_out: '0', deadline }, token)
      await call(url, 'logs', {}, token)
      await sleep(EVERY_MS)
    }
  }
  await Promise.all(users.map(use))
  return calls
}

interface Memory {
  readonly resident: number
  /** Not backed by files: heap, buffers and compiled code. The rest is the program of Node and its libraries. */
  readonly anonymous: number
}

/** Reads the memory of a process in bytes. */
async function memoryOf(pid: number): Promise<Memory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1_024
  return { resident: bytes('VmRSS'), anonymous: bytes('RssAnon') }
}

/** The memory of Node before it does anything. */
async function bareNode(): Promise<Memory> {
  const script = `console.log('up'); setInterval(() => {}, 1_000)`
  const child = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  endLater(async () => void child.kill())
  await once(child.stdout, 'data')
  return memoryOf(child.pid ?? 0)
}

const mb = (bytes: number) => (bytes / 1_000_000).toFixed(0)
