import { auditBooks } from '@clearwell/ledger/audit'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { formatTable } from '../../scripts/format-table.ts'
import type { ClusterOptions, ClusterSite } from './cluster-site.ts'
import { cpuUs } from './cpu.ts'
import { loadFor } from './load.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { isDone, priceLimits, swapRequest } from './swap-request.ts'
import { type BenchUser, makeUsers } from './users.ts'

const USERS = 32

/** Processor time of a swap in each server, in microseconds. */
interface Figure {
  readonly writerUs: number
  /** 0 without a web server. */
  readonly webUs: number
  readonly perSecond: number
}

/**
 * Swaps on one ledger, in turn through a server that does everything and through a web server that forwards to a writer, and compares the
 * processor time that a swap takes in each process.
 */
export async function compareSwaps({ variables, databaseUrl }: ClusterSite, options: ClusterOptions): Promise<void> {
  const { clients, seconds, rounds } = options
  const first = await startServerProcess(variables)
  const users = await makeUsers(first.url, Math.min(USERS, clients))
  const limits = await priceLimits(first.url)
  await first.stop()
  const swap = (name: string, server: ServerProcess, url: string, web?: ServerProcess) =>
    measure({ name, clients, seconds, users, limits, server, url, web })
  const figures: { readonly all: Figure; readonly split: Figure }[] = []
  for (let round = 1; round <= rounds; round++) {
    console.log(`… round ${round} of ${rounds}`)
    const one = await startServerProcess(variables)
    const all = await swap(`all-${round}`, one, one.url)
    await one.stop()
    const writer = await startServerProcess({ ...variables, ROLE: 'writer' })
    const web = await startServerProcess({ ...variables, ROLE: 'web' })
    const split = await swap(`split-${round}`, writer, web.url, web)
    await web.stop()
    await writer.stop()
    figures.push({ all, split })
  }
  const db = await openPostgresDatabase(databaseUrl, { maxConnections: 1 })
  const faults = await auditBooks(db)
  await db.close()
  if (faults.length > 0) throw new Error(`the books are wrong:\n${faults.join('\n')}`)
  printTable(figures)
}

async function measure(options: {
  readonly name: string
  readonly clients: number
  readonly seconds: number
  readonly users: readonly BenchUser[]
  readonly limits: readonly string[]
  readonly server: ServerProcess
  readonly url: string
  readonly web: ServerProcess | undefined
}): Promise<Figure> {
  const { name, clients, seconds, users, limits, server, url, web } = options
  const cpu = async () => ({ server: await cpuUs(server.pid), web: web ? await cpuUs(web.pid) : 0 })
  const requestOf = (phase: string) => (client: number, turn: number) => {
    const side = (client + turn) % 2
    const token = users[client % users.length]?.token ?? ''
    return swapRequest({ token, key: `${name}-${phase}-${client}-${turn}`, side, limit: limits[side] ?? '0' })
  }
  // A server that has just started compiles its code, which takes more time than the swaps.
  await loadFor(seconds, url, { clients, request: requestOf('first'), isRight: isDone })
  const before = await cpu()
  const load = await loadFor(seconds, url, { clients, request: requestOf('measured'), isRight: isDone })
  const after = await cpu()
  const each = (part: 'server' | 'web') => (after[part] - before[part]) / load.acknowledged
  return { writerUs: each('server'), webUs: each('web'), perSecond: load.latenciesMs.length / seconds }
}

function printTable(figures: readonly { readonly all: Figure; readonly split: Figure }[]): void {
  const row = (what: string, { writerUs, webUs, perSecond }: Figure, all: Figure) => [
    what,
    perSecond.toFixed(0),
    writerUs.toFixed(0),
    webUs.toFixed(0),
    (writerUs / all.writerUs).toFixed(2),
    ((writerUs + webUs) / all.writerUs).toFixed(2),
  ]
  const head = ['', 'swaps a second', 'leader µs', 'web server µs', 'leader ÷ all', 'sum ÷ all']
  const rows = figures.flatMap(({ all, split }, round) => [
    row(`all, round ${round + 1}`, all, all),
    row(`writer and web, round ${round + 1}`, split, all),
  ])
  console.log(`\n${formatTable([head, ...rows])}`)
}
