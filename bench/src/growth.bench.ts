import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { PayloadInput, RouteName } from '@clearwell/api/routes'
import { auditSince } from '@clearwell/ledger/audit'
import type { Database } from '@clearwell/ledger/database'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { readOneMoment, readTip } from '@clearwell/ledger/reads'
import { findPostgres, HOW_TO_GET_POSTGRES, startPostgres } from '../../scripts/postgres.ts'
import type { Bench } from './bench.ts'
import { endLater } from './clean-up.ts'
import { fillSwaps } from './fill-swaps.ts'
import { machine } from './machine.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { openNewDatabase, type PairFigure, printRatios, ratioOf, timeInTurn } from './size-pair.ts'
import { type BenchUser, call, makeUsers } from './users.ts'
import { wholeNumber } from './whole-number.ts'

const USERS = 4
const SWAPS_A_ROUND = 40
const READS_A_ROUND = 5
/** Of the last day, by the writer: the audit since yesterday reads these. */
const LAST_DAY = 4_000
const [SWAP_ROUNDS, READ_ROUNDS, AUDIT_ROUNDS, START_ROUNDS] = [60, 100, 6, 6]
/** Each connection of a server prepares each statement once. */
const WARM_UP_ROUNDS = 10
const FILL_MS = 600_000
const [HEADER_POLL_MS, HEADER_MS] = [500, 600_000]

export default {
  about:
    'swaps, lists, the audit since yesterday and a start with few swaps in the ledger and with many, which SQL adds (--sizes 100000,10000000)',
  run: benchGrowth,
} satisfies Bench

/** A server with its database, and users who are signed in. Each has one of a hundred of the swaps. */
interface World {
  readonly db: Database
  readonly url: string
  /** With the chain that belongs to the ledger. */
  readonly dataDir: string
  readonly users: readonly BenchUser[]
  server: ServerProcess
  /** Swaps that the bench has made, so that each client alternates its direction. */
  turn: number
}

/** Compares a server whose ledger has few swaps with one whose ledger has many, step by step in turn. */
async function benchGrowth(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { sizes: { type: 'string', default: '100000,10000000' } } })
  const [small = 0, large = 0] = values.sizes.split(',').map((text) => wholeNumber('--sizes', text))
  if (small % 2 === 1 || large % 2 === 1 || large === 0) throw new Error('--sizes needs two even numbers')
  if (!findPostgres()) throw new Error(HOW_TO_GET_POSTGRES)
  console.log(`${machine()} Client, servers and database share the machine.`)
  const postgres = await startPostgres({
    fsync: true,
    settings: { min_wal_size: '1GB', max_wal_size: '4GB', shared_buffers: '512MB', work_mem: '64MB' },
  })
  endLater(postgres.stop)
  const worlds = [await openWorld(postgres.url, small), await openWorld(postgres.url, large)] as const
  const figures = await measure(worlds)
  printRatios('growth', [`${small} swaps`, `${large} swaps`], figures)
  for (const { db } of worlds) {
    const [row] = await db.query<{ mb: number }>(
      'select (pg_database_size(current_database()) / 1000000)::integer as mb',
    )
    console.log(`entries ${(await readTip(db)).seq}, database ${row?.mb} MB`)
  }
}

async function openWorld(postgres: string, swaps: number): Promise<World> {
  const db = await openNewDatabase(postgres, `growth_${swaps}`)
  endLater(() => db.close())
  const url = new URL(postgres)
  url.pathname = `/growth_${swaps}`
  const first = await startServerProcess({ DATABASE_URL: url.href })
  const users = await makeUsers(first.url, USERS)
  await first.stop()
  console.log(`… filling ${swaps} swaps`)
  const startedMs = performance.now()
  // The triggers are off for one connection.
  const filling = await openPostgresDatabase(url.href, { maxConnections: 1, maxQueryMs: FILL_MS })
  await fillSwaps(filling, { swaps, users: users.map(({ id }) => id), until: yesterday() })
  await filling.close()
  console.log(`… filled in ${seconds(startedMs)} s; the day by the writer`)
  const server = await startServerProcess({ DATABASE_URL: url.href, DATA_DIR: first.dataDir })
  const world: World = { db, url: url.href, dataDir: first.dataDir, users, server, turn: 0 }
  await headerReaches(db, (await readTip(db)).seq)
  await swap(world, LAST_DAY)
  return world
}

const yesterday = () => new Date(Date.now() - 25 * 60 * 60 * 1_000)
const seconds = (startedMs: number) => ((performance.now() - startedMs) / 1_000).toFixed(0)

/** The next header sums all new entries, which a server that had made them would have done little by little. */
async function headerReaches(db: Database, seq: bigint): Promise<void> {
  const startedMs = performance.now()
  for (;;) {
    const [head] = await db.query<{ seq: bigint }>('select max(ledger_seq) as seq from proof_headers')
    if ((head?.seq ?? 0n) >= seq) break
    if (performance.now() - startedMs > HEADER_MS) throw new Error('no header was made')
    await new Promise((resolve) => setTimeout(resolve, HEADER_POLL_MS))
  }
  console.log(`… the next header was made after ${seconds(startedMs)} s`)
}

async function measure(worlds: readonly [World, World]): Promise<PairFigure[]> {
  const figures: PairFigure[] = []
  const time = async (what: string, rounds: number, run: (world: World) => Promise<unknown>, hasNoLimit = false) => {
    console.log(`… ${what}`)
    const times: [number[], number[]] = [[], []]
    for (let round = 0; round < WARM_UP_ROUNDS; round++) for (const world of worlds) await run(world)
    for (let round = 0; round < rounds; round++) await timeInTurn(worlds, { run, round, times })
    figures.push({ what, times, hasNoLimit })
    console.log(`  ${ratioOf(times).toFixed(2)} ×`)
  }
  await time(`${SWAPS_A_ROUND} swaps by ${USERS} clients`, SWAP_ROUNDS, (world) => swap(world, SWAPS_A_ROUND))
  for (const [what, name, payload, hasNoLimit] of LISTS)
    await time(`${READS_A_ROUND} × ${what}`, READ_ROUNDS, (world) => read(world, name, payload), hasNoLimit)
  await time('audit since yesterday', AUDIT_ROUNDS, async ({ db }) => {
    const { faults } = await readOneMoment(db, (tx) => auditSince(tx, new Date(Date.now() - 24 * 60 * 60 * 1_000)))
    if (faults.length > 0) throw new Error(`the books are wrong:\n${faults.join('\n')}`)
  })
  const starts: [number[], number[]] = [[], []]
  for (let round = 0; round < START_ROUNDS; round++) {
    for (const { server } of worlds) await server.stop()
    await timeInTurn(worlds, { run: startAgain, round, times: starts })
  }
  return [...figures, { what: 'start to ready', times: starts }]
}

/** The lists of the history page and of the activity. A value of a month grows with the swaps of a month. */
const LISTS: readonly (readonly [string, RouteName, object, boolean?])[] = [
  ['entries, first page', 'logs', { limit: 100 }],
  ['entries, in the middle', 'logs', { limit: 100, to: new Date(Date.now() - 3 * 24 * 60 * 60 * 1_000).toISOString() }],
  ['entries of a loan (none)', 'logs', { limit: 100, kinds: ['loan_repayment'] }],
  ['swaps, first page', 'orders', { limit: 100 }],
  ['transfers, first page', 'transactions', { limit: 100 }],
  ['value of a day', 'summary', { period: 'day' }],
  ['value of a month', 'summary', { period: 'month' }, true],
  ['trades of the pool', 'swapTrades', { pool_id: 'bnb-usdt', limit: 100 }],
]

async function read({ server, users }: World, name: RouteName, payload: object): Promise<void> {
  for (let turn = 0; turn < READS_A_ROUND; turn++)
    await call(server.url, name, payload as PayloadInput<RouteName>, users[turn % users.length]?.token)
}

/** Clients that swap to and fro, each one at a time. */
async function swap(world: World, count: number): Promise<void> {
  const client = async ({ token }: BenchUser, index: number) => {
    for (let made = index; made < count; made += USERS) {
      const sale =
        (world.turn + made - index) % (2 * USERS) === 0
          ? ({ amount: '0.01', inverse: 0 } as const)
          : ({ amount: '6.2', inverse: 1 } as const)
      const deadline = Math.floor(Date.now() / 1_000) + 600
      const response = await fetch(`${world.server.url}/api/SwapPool/doSwap`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'xx-token': token, 'idempotency-key': randomUUID() },
        body: JSON.stringify({ pool_id: 'bnb-usdt', ...sale, min_amount_out: '0', deadline }),
      })
      const { code, msg } = (await response.json()) as { readonly code: number; readonly msg: string }
      if (code !== 1) throw new Error(`a swap was answered with ${code} ${msg}`)
    }
  }
  await Promise.all(world.users.map(client))
  world.turn += count
}

/** Starts the server, which has ended, on its data. */
async function startAgain(world: World): Promise<void> {
  world.server = await startServerProcess({ DATABASE_URL: world.url, DATA_DIR: world.dataDir })
}
