import { routes } from '@clearwell/api/routes'
import { formatTable } from '../../scripts/format-table.ts'
import { startStandby } from '../../scripts/start-standby.ts'
import { endLater } from './clean-up.ts'
import type { ClusterOptions, ClusterSite } from './cluster-site.ts'
import { cpuUs, treeCpuUs } from './cpu.ts'
import { loadFor } from './load.ts'
import { postmasterOf } from './postmaster.ts'
import { startServerProcess } from './server-process.ts'
import { isDone, priceLimits, swapRequest } from './swap-request.ts'
import { type BenchUser, makeUsers } from './users.ts'

const USERS = 32
/** Calls that a screen of a signed-in user makes. */
const PATHS = [routes.balances, routes.logs, routes.orders].map(({ path }) => path)

/** Processor time of a read in each process, in microseconds. */
interface Figure {
  readonly primaryUs: number
  readonly replicaUs: number
  readonly webUs: number
  readonly writerUs: number
  readonly perSecond: number
}

/** Reads of signed-in users through a web server, in turn from the primary and from a replica. */
export async function compareReads(site: ClusterSite, options: ClusterOptions): Promise<void> {
  const { variables, postgres } = site
  const ends: (() => Promise<unknown>)[] = []
  const users = await fillSwaps(variables, options)
  const writer = await startServerProcess({ ...variables, ROLE: 'writer' })
  const standby = await startStandby(postgres, ends)
  for (const end of ends) endLater(end)
  const databases = { primary: await postmasterOf(site.databaseUrl), replica: await postmasterOf(standby.url) }
  const measure = async (more: NodeJS.ProcessEnv) => {
    const web = await startServerProcess({ ...variables, ROLE: 'web', ...more })
    const figure = await measureReads(
      { url: web.url, pids: { web: web.pid, writer: writer.pid }, databases, users },
      options,
    )
    await web.stop()
    return figure
  }
  const figures: { readonly primary: Figure; readonly replica: Figure }[] = []
  for (let round = 1; round <= options.rounds; round++) {
    console.log(`… round ${round} of ${options.rounds}`)
    const primary = await measure({})
    figures.push({ primary, replica: await measure({ READ_DATABASE_URL: standby.url }) })
  }
  printTable(figures)
}

/** Makes users with swaps in their lists, by a server that does everything. */
async function fillSwaps(variables: NodeJS.ProcessEnv, { seconds }: ClusterOptions): Promise<BenchUser[]> {
  const first = await startServerProcess(variables)
  const users = await makeUsers(first.url, USERS)
  const limits = await priceLimits(first.url)
  const request = (client: number, turn: number) => swapOf(users, limits, { client, turn })
  await loadFor(seconds, first.url, { clients: USERS, request, isRight: isDone })
  await first.stop()
  return users
}

function swapOf(
  users: readonly BenchUser[],
  limits: readonly string[],
  { client, turn }: { readonly client: number; readonly turn: number },
): string {
  const side = (client + turn) % 2
  const token = users[client % users.length]?.token ?? ''
  return swapRequest({ token, key: `fill-${client}-${turn}`, side, limit: limits[side] ?? '0' })
}

async function measureReads(
  {
    url,
    pids,
    databases,
    users,
  }: {
    readonly url: string
    readonly pids: { readonly web: number; readonly writer: number }
    readonly databases: { readonly primary: number; readonly replica: number }
    readonly users: readonly BenchUser[]
  },
  { clients, seconds }: ClusterOptions,
): Promise<Figure> {
  const load = () =>
    loadFor(seconds, url, {
      clients,
      request: (client, turn) =>
        readRequest(users[client % users.length]?.token ?? '', PATHS[turn % PATHS.length] ?? ''),
      isRight: isDone,
    })
  const cpu = async () => ({
    primary: await treeCpuUs(databases.primary),
    replica: await treeCpuUs(databases.replica),
    web: await cpuUs(pids.web),
    writer: await cpuUs(pids.writer),
  })
  // A server that has just started compiles its code.
  await load()
  const before = await cpu()
  const { acknowledged, latenciesMs } = await load()
  const after = await cpu()
  const each = (part: keyof typeof after) => (after[part] - before[part]) / acknowledged
  return {
    primaryUs: each('primary'),
    replicaUs: each('replica'),
    webUs: each('web'),
    writerUs: each('writer'),
    perSecond: latenciesMs.length / seconds,
  }
}

function readRequest(token: string, path: string): string {
  return [
    `POST /api${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Length: 0',
    'XX-Device-Type: web',
    `XX-Token: ${token}`,
    'Accept-Language: en',
    '',
    '',
  ].join('\r\n')
}

function printTable(figures: readonly { readonly primary: Figure; readonly replica: Figure }[]): void {
  const row = (what: string, { perSecond, primaryUs, replicaUs, webUs, writerUs }: Figure) => [
    what,
    perSecond.toFixed(0),
    ...[primaryUs, replicaUs, webUs, writerUs].map((us) => us.toFixed(0)),
  ]
  const rows = figures.flatMap(({ primary, replica }, round) => [
    row(`from the primary, round ${round + 1}`, primary),
    row(`from the replica, round ${round + 1}`, replica),
  ])
  const head = ['', 'reads a second', 'primary µs', 'replica µs', 'web server µs', 'writer µs']
  console.log(`\n${formatTable([head, ...rows])}`)
}
