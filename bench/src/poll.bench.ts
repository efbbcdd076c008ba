import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { formatTable } from '../../scripts/format-table.ts'
import { findPostgres, HOW_TO_GET_POSTGRES, startPostgres } from '../../scripts/postgres.ts'
import type { Bench } from './bench.ts'
import { endLater } from './clean-up.ts'
import { cpuUs, treeCpuUs } from './cpu.ts'
import { machine } from './machine.ts'
import { type Clients, openPollers, openStreams, type Seen } from './poll-clients.ts'
import { postmasterOf } from './postmaster.ts'
import { outdatedMs, percentile, tickerAgesMs } from './price-age.ts'
import { startServerProcess } from './server-process.ts'
import { call, makeUsers } from './users.ts'
import { wholeNumber } from './whole-number.ts'

const POOL_ID = 'bnb-usdt'
/** Sales in alternating directions, so that the price stays the same. */
const SALES = [
  { amount: '0.01', inverse: 0 },
  { amount: '6.2', inverse: 1 },
] as const
const WARM_UP_MS = 4_000
/** How finely ages are looked at. */
const GRID_MS = 50
/** Limits that the figures are held to. */
const OF_POLLING = 5
const OF_DATABASE = 20

interface Options {
  readonly clients: number
  readonly seconds: number
  readonly changesPerMinute: number
}

/** A value of the pairs, and when it was known to hold. */
interface Change {
  readonly atMs: number
  readonly value: string
}

interface Figure {
  readonly what: string
  readonly clients: number
  /** Writes or responses to one client per second. */
  readonly perClientSecond: number
  readonly serverUs: number
  readonly databaseUs: number
  readonly pairsP99Ms: number
  readonly tickerP99Ms: number
}

export default {
  about:
    'users that one core sustains who look at a market: by stream, by polling, by asking the database (--clients 2000, --seconds 20, --changes 60 a minute)',
  run: benchPoll,
} satisfies Bench

/**
 * How many users one core of server sustains who look at a market, the ticker and the pairs of the pools: by the stream,
 * by polling from memory, and where each call asks the database. Each user costs what the server's and the database's
 * processes used of the processors meanwhile, less what they use without any user at the same rate of swaps.
 */
async function benchPoll(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      clients: { type: 'string', default: '2000' },
      seconds: { type: 'string', default: '20' },
      changes: { type: 'string', default: '60' },
    },
  })
  const options = {
    clients: wholeNumber('--clients', values.clients),
    seconds: wholeNumber('--seconds', values.seconds),
    changesPerMinute: wholeNumber('--changes', values.changes),
  }
  console.log(`${machine()} Clients, servers and database share the machine.`)
  if (!findPostgres()) throw new Error(`This bench compares with asking the database. ${HOW_TO_GET_POSTGRES}`)
  const postgres = await startPostgres({ fsync: true })
  endLater(postgres.stop)
  const DATABASE_URL = postgres.url
  const database = await postmasterOf(DATABASE_URL)
  // The arbitrage job would change the pools at unpredictable times.
  const server = await startServerProcess({ DATABASE_URL, ARBITRAGE: 'off' })
  const url = new URL(server.url)
  const [trader] = await makeUsers(server.url, 1)
  const swaps = startSwaps(server.url, trader?.token ?? '', options)
  endLater(swaps.stop)

  const idle = { server: await measureCpu(server.pid, options.seconds), database: await idleOf(database, options) }
  const figures = [
    await measure('stream', options, swaps.changes, { pid: server.pid, database, idle }, () =>
      openStreams(url, options.clients),
    ),
    await measure('polling, from memory', options, swaps.changes, { pid: server.pid, database, idle }, () =>
      openPollers(url, Math.ceil(options.clients / 5), { withEtag: true }),
    ),
  ]
  const peer = await startPeer(DATABASE_URL)
  const idlePeer = { server: await measureCpu(peer.pid, options.seconds), database: idle.database }
  figures.push(
    await measure(
      'polling, from the database',
      options,
      swaps.changes,
      { pid: peer.pid, database, idle: idlePeer },
      () => openPollers(new URL(peer.url), Math.ceil(options.clients / 20), { withEtag: false }),
    ),
  )
  await swaps.stop()
  printTable(figures, options)
}

/** Runs clients of one kind for a while and returns the cost of each. */
async function measure(
  what: string,
  { seconds }: Options,
  changes: readonly Change[],
  processes: { pid: number; database: number; idle: { server: number; database: number } },
  open: () => Promise<Clients>,
): Promise<Figure> {
  console.log(`… ${what}`)
  const clients = await open()
  await sleep(WARM_UP_MS)
  const fromMs = Date.now()
  const [before, countBefore] = [await cpuOf(processes), clients.count()]
  await sleep(seconds * 1000)
  const [after, countAfter] = [await cpuOf(processes), clients.count()]
  const toMs = Date.now()
  clients.close()
  const grid = { fromMs, toMs, everyMs: GRID_MS }
  const watched = <Read>(records: readonly Seen[][], read: (body: string) => Read) =>
    records
      .filter((record) => record.length > 0)
      .map((record) => record.map(({ atMs, body }) => ({ atMs, ...read(body) })))
  const pairs = watched(clients.pairs, (body) => ({ value: reserveOf(JSON.parse(body) as Pair[]) }))
  const tickers = watched(clients.tickers, (body) => ({ timeMs: Date.parse((JSON.parse(body) as Ticker).time) }))
  const count = clients.clients
  const perClientSecond = (total: number) => total / ((toMs - fromMs) / 1000) / count
  const cost = (used: number, idlePerSecond: number) => perClientSecond(used) - idlePerSecond / count
  return {
    what,
    clients: count,
    perClientSecond: perClientSecond(countAfter - countBefore),
    serverUs: cost(after.server - before.server, processes.idle.server),
    databaseUs: cost(after.database - before.database, processes.idle.database),
    pairsP99Ms: percentile(
      pairs.flatMap((seen) => outdatedMs(changes, seen, grid)),
      0.99,
    ),
    tickerP99Ms: percentile(
      tickers.flatMap((seen) => tickerAgesMs(seen, grid)),
      0.99,
    ),
  }
}

async function cpuOf({ pid, database }: { pid: number; database: number }) {
  return { server: await cpuUs(pid), database: await treeCpuUs(database) }
}

/** Measures the CPU time that a process uses per second. */
async function measureCpu(pid: number, seconds: number): Promise<number> {
  const before = await cpuUs(pid)
  await sleep(seconds * 1000)
  return ((await cpuUs(pid)) - before) / seconds
}

async function idleOf(database: number, { seconds }: Options): Promise<number> {
  const before = await treeCpuUs(database)
  await sleep(seconds * 1000)
  return ((await treeCpuUs(database)) - before) / seconds
}

type Pair = { readonly id: string; readonly reserve_base: string }
type Ticker = { readonly time: string }

/** Another after each swap, and never the same again: fees stay in the pool. */
function reserveOf(pairs: readonly Pair[]): string {
  return pairs.find(({ id }) => id === POOL_ID)?.reserve_base ?? ''
}

/** One swap after the other at a steady rate; after each it is asked what everyone should now see. */
function startSwaps(baseUrl: string, token: string, { changesPerMinute }: Options) {
  const changes: Change[] = []
  const everyMs = 60_000 / changesPerMinute
  let isOn = true
  const running = (async () => {
    for (let turn = 0, dueMs = performance.now(); isOn; turn++, dueMs += everyMs) {
      const sale = SALES[turn % 2 === 0 ? 0 : 1]
      const deadline = Math.floor(Date.now() / 1000) + 600
      await call(baseUrl, 'doSwap', { pool_id: POOL_ID, ...sale, min_amount_out: '0', deadline }, token)
      const atMs = Date.now()
      changes.push({ atMs, value: reserveOf(await call(baseUrl, 'pairs', {})) })
      await sleep(Math.max(0, dueMs + everyMs - performance.now()))
    }
  })()
  return {
    changes,
    async stop() {
      isOn = false
      await running
    },
  }
}

async function startPeer(databaseUrl: string): Promise<{ url: string; pid: number }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./poll-peer.ts', import.meta.url))], {
    env: { ...process.env, PROFILE: 'local', DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  endLater(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const ready = /^ready (\S+)$/m.exec(chunk.toString())
      if (ready?.[1]) resolve(ready[1])
    })
    void ended.then(() => reject(new Error('the peer did not start')))
  })
  return { url, pid: child.pid ?? 0 }
}

function printTable(figures: readonly Figure[], { changesPerMinute }: Options): void {
  const usersPerCore = ({ serverUs, databaseUs }: Figure) => 1_000_000 / Math.max(1, serverUs + databaseUs)
  const rows = figures.map((figure) => [
    figure.what,
    String(figure.clients),
    figure.perClientSecond.toFixed(2),
    figure.serverUs.toFixed(0),
    figure.databaseUs.toFixed(0),
    usersPerCore(figure).toFixed(0),
    figure.pairsP99Ms.toFixed(0),
    figure.tickerP99Ms.toFixed(0),
  ])
  const head = ['', 'clients', 'per s', 'server µs', 'database µs', 'users/core', 'pairs p99 ms', 'ticker p99 ms']
  console.log(`\n${formatTable([head, ...rows])}`)
  console.log(
    `At ${changesPerMinute} swaps a minute and a ticker that moves all the time. µs: of the processors, per client and second. p99: how long the pairs that a client showed had been outdated, and how old its ticker was.`,
  )
  const [stream, memory, database] = figures.map(usersPerCore)
  if (stream === undefined || memory === undefined || database === undefined) return
  const ratio = (of: number, limit: number) => `${(stream / of).toFixed(1)} × (limit ${limit})`
  console.log(`stream: ${ratio(memory, OF_POLLING)} polling, ${ratio(database, OF_DATABASE)} the database`)
}
