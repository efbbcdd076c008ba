import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { auditBooks } from '@clearwell/ledger/audit'
import type { Database } from '@clearwell/ledger/database'
import { openPgliteDatabase } from '@clearwell/ledger/pglite-database'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { formatTable } from '../../scripts/format-table.ts'
import { findPostgres, HOW_TO_GET_POSTGRES, startPostgres } from '../../scripts/postgres.ts'
import { startBareHttp } from './bare-http.ts'
import type { Bench } from './bench.ts'
import { endLater } from './clean-up.ts'
import { cpuUs, treeCpuUs } from './cpu.ts'
import { figureOf, loadFor } from './load.ts'
import { machine } from './machine.ts'
import { addOldRows } from './old-rows.ts'
import { runPgbench } from './pgbench.ts'
import { postmasterOf } from './postmaster.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { isDone, priceLimits, swapRequest } from './swap-request.ts'
import { makeUsers } from './users.ts'
import { wholeNumber } from './whole-number.ts'

/** More clients than this share their users: each user costs six real payments to make. */
const MAX_USERS = 32
/**
 * A new PostgreSQL fills each file of its log with zeros before it writes there, within a commit. One that has run for a
 * while takes files that it has used before: here those of making pgbench's tables, and of pgbench.
 */
const WAL_SETTINGS = { min_wal_size: '1GB', max_wal_size: '4GB' }

interface Options {
  /** Numbers of concurrent clients; each gets one measurement. */
  readonly clients: readonly number[]
  readonly seconds: number
  /**
   * On PostgreSQL: adds this many responses that are older than their retention, and measures each number of clients twice
   * without and twice with the job that deletes them.
   */
  readonly oldRows?: number
}

interface Figure {
  readonly what: string
  readonly clients: number
  readonly perSecond: number
  readonly p50Ms?: number
  readonly p99Ms?: number
  readonly meanMs?: number
}

export default {
  about:
    'swaps per second through HTTP on one pool, beside pgbench TPC-B (--clients 1,16,64,256, --seconds 6, --only pglite, --old-rows 1000000 to delete meanwhile)',
  run: benchSwap,
} satisfies Bench

/**
 * Measures swaps per second through real HTTP on one hot pool: a server in a separate process, users who deposited on a
 * chain, tokens, idempotency keys and price limits; every response is read. For comparison it runs pgbench's TPC-B on the
 * same PostgreSQL, and an empty server with the same requests from the same clients, which is the upper bound.
 */
async function benchSwap(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      clients: { type: 'string', default: '1,16,64,256' },
      seconds: { type: 'string', default: '6' },
      only: { type: 'string' },
      'old-rows': { type: 'string' },
    },
  })
  const options: Options = {
    clients: values.clients.split(',').map((text) => wholeNumber('--clients', text)),
    seconds: wholeNumber('--seconds', values.seconds),
    ...(values['old-rows'] ? { oldRows: wholeNumber('--old-rows', values['old-rows']) } : {}),
  }
  const { only } = values
  if (only !== undefined && only !== 'pglite' && only !== 'postgres') throw new Error('--only is pglite or postgres')
  console.log(`${machine()} Client, server and database share the machine.`)

  const figures: Figure[] = []
  if (only !== 'pglite') figures.push(...(await onPostgres(options)))
  figures.push(await onNothing(options))
  if (only !== 'postgres') figures.push(...(await onPglite(options)))
  printTable(figures)
}

async function onPostgres(options: Options): Promise<Figure[]> {
  if (!findPostgres()) {
    console.log(
      `PostgreSQL is not installed, so there is no figure on it and nothing to compare with. ${HOW_TO_GET_POSTGRES}`,
    )
    return []
  }
  const postgres = await startPostgres({ fsync: true, settings: WAL_SETTINGS })
  endLater(postgres.stop)
  console.log('… pgbench')
  const peer = await runPgbench(postgres.url, postgres.binaries)
  if (!peer) console.log('pgbench is not installed beside PostgreSQL, so there is no ratio.')

  const url = new URL(postgres.url)
  const server = await openPostgresDatabase(url.href, { maxConnections: 1 })
  await server.script('create database swaps')
  await server.script('checkpoint')
  await server.close()
  url.pathname = '/swaps'
  const swaps = await measure('swaps, PostgreSQL, fsync on', options, {
    variables: { DATABASE_URL: url.href },
    databasePid: await postmasterOf(url.href),
    open: () => openPostgresDatabase(url.href, { maxConnections: 1 }),
  })
  await postgres.stop()
  return peer ? [peer, ...swaps] : swaps
}

function onPglite(options: Options): Promise<Figure[]> {
  return measure('swaps, PGlite', options, {
    variables: {},
    open: (dataDir) => openPgliteDatabase(join(dataDir, 'pglite')),
  })
}

/** The same requests, from as many clients as there are at most, to a server that only reads them and responds. */
async function onNothing({ clients, seconds }: Options): Promise<Figure> {
  console.log('… HTTP alone')
  const { url, stop } = await startBareHttp()
  const count = Math.max(...clients)
  const request = (client: number, turn: number) =>
    swapRequest({
      token: 'x'.repeat(43),
      key: `bench-${count}-${client}-${turn}`,
      side: 0,
      limit: '6.153730000000000000',
    })
  const load = await loadFor(seconds, url, { clients: count, request, isRight: isDone })
  await stop()
  return figureOf('HTTP alone (node:http, a constant answer)', count, load)
}

interface Measured {
  readonly variables: NodeJS.ProcessEnv
  /** The process that all of the database's are children of, where it is not the server's own. */
  readonly databasePid?: number
  open(dataDir: string): Promise<Database>
}

/** Measures one server, then looks into its books: what was acknowledged is there, and the books are exact. */
async function measure(
  what: string,
  { clients, seconds, oldRows }: Options,
  { variables, databasePid, open }: Measured,
): Promise<Figure[]> {
  const userCount = Math.min(Math.max(...clients), MAX_USERS)
  console.log(`… ${what}: starting, ${userCount} users pay in`)
  const server = await startServerProcess(variables)
  const users = await makeUsers(server.url, userCount)
  const limits = await priceLimits(server.url)
  const figures: Figure[] = []
  let acknowledged = 0
  // Only PostgreSQL can be opened beside the server.
  const beside = oldRows === undefined || databasePid === undefined ? undefined : await open(server.dataDir)
  const old = beside && oldRows ? await addOldRows(beside, oldRows) : undefined
  const phases = old ? [false, true, false, true] : [undefined]
  for (const [phase, { count, isDeleting }] of clients
    .flatMap((count) => phases.map((isDeleting) => ({ count, isDeleting })))
    .entries()) {
    console.log(`… ${what}: ${count} clients swap for ${seconds} s${isDeleting ? ' while old rows are deleted' : ''}`)
    if (isDeleting !== undefined) await old?.setRunning(isDeleting)
    const leftBefore = await old?.countLeft()
    const before = await cpuOf(server, databasePid)
    const request = (client: number, turn: number) => {
      const side = (client + turn) % 2
      const token = users[client % users.length]?.token ?? ''
      return swapRequest({ token, key: `bench-${count}-${phase}-${client}-${turn}`, side, limit: limits[side] ?? '0' })
    }
    const load = await loadFor(seconds, server.url, { clients: count, request, isRight: isDone })
    const after = await cpuOf(server, databasePid)
    acknowledged += load.acknowledged
    figures.push(figureOf(isDeleting ? `${what}, old rows deleted` : what, count, load))
    if (old) console.log(`  old rows deleted meanwhile: ${(leftBefore ?? 0) - (await old.countLeft())}`)
    const used = (part: keyof typeof after) => ((after[part] - before[part]) / load.acknowledged).toFixed(0)
    const database = databasePid === undefined ? '' : `database ${used('database')} µs, `
    console.log(`  CPU per swap: server ${used('server')} µs, ${database}clients ${used('clients')} µs`)
  }
  await beside?.close()
  await server.stop()

  const db = await open(server.dataDir)
  const [row] = await db.query<{ count: bigint }>(
    'select count(*) as count from swap_orders where user_id = any($1::text[])',
    [users.map((user) => user.id)],
  )
  if (Number(row?.count) !== acknowledged) {
    throw new Error(`${acknowledged} swaps were acknowledged, but the ledger has ${row?.count}`)
  }
  const faults = await auditBooks(db)
  await db.close()
  if (faults.length > 0) throw new Error(`the books are wrong:\n${faults.join('\n')}`)
  console.log(`  ${acknowledged} swaps acknowledged, as many in the ledger, and the books are exact`)
  return figures
}

async function cpuOf(server: ServerProcess, databasePid: number | undefined) {
  const { user, system } = process.cpuUsage()
  const database = databasePid === undefined ? 0 : await treeCpuUs(databasePid)
  return { server: await cpuUs(server.pid), database, clients: user + system }
}

function printTable(figures: readonly Figure[]): void {
  const peer = figures.find((figure) => figure.meanMs !== undefined)
  const ms = (value: number | undefined) => (value === undefined ? '' : value.toFixed(1))
  const rows = figures.map(({ what, clients, perSecond, p50Ms, p99Ms, meanMs }) => [
    what,
    String(clients),
    perSecond.toFixed(0),
    meanMs === undefined ? ms(p50Ms) : `${ms(meanMs)} (mean)`,
    ms(p99Ms),
    peer ? `${(perSecond / peer.perSecond).toFixed(2)} ×` : '',
  ])
  const head = ['', 'clients', 'per second', 'p50 ms', 'p99 ms', 'of pgbench']
  console.log(`\n${formatTable([head, ...rows])}`)
}
