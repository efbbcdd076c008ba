import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@clearwell/ledger/database'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { type Anvil, startAnvil } from '@clearwell/server/src/platform/chain/anvil.ts'
import { localConfigFile } from '@clearwell/server/src/platform/chain/testing/local-chain.ts'
import { startTestServer } from '@clearwell/server/src/testing/server.ts'
import { newTrader } from '@clearwell/server/src/testing/traders.ts'
import { type PostgresOptions, startPostgres, type ThrowawayPostgres } from '../../../scripts/postgres.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import type { DrillResult, Ends } from './drill.ts'
import type { SwapLoad } from './swap-load.ts'

const CHAIN_ID = 31337
const TRADERS = 4
const PASSWORD = 'drill'
/** The pool's first price: the simulated market would be up to 9 % away from it. */
const POOL_PRICE = '620'

/** Everything that the product needs, for one drill: PostgreSQL, a chain, and traders with money. No server runs. */
export interface Site {
  readonly postgres: ThrowawayPostgres
  /** The database as the role of the servers, which is no superuser. */
  readonly databaseUrl: string
  /** The same database for the drill itself, as a superuser. */
  readonly adminUrl: string
  readonly folder: string
  readonly tokens: readonly string[]
  /** The configuration and the node, for the operator's commands. */
  readonly environment: Readonly<Record<'CONFIG_FILE' | 'CHAIN_RPC_URL', string>>
  readonly chain: Anvil
  /** Starts the node again on its data and port. */
  restartChain(): Promise<void>
  startServer(name: string, variables?: NodeJS.ProcessEnv): Promise<ServerProcess>
  /** Ends the load and compares each acknowledged command with the ledger, whose books must balance. */
  conclude(load: SwapLoad, url?: string): Promise<Pick<DrillResult, 'acknowledged' | 'lost' | 'doubled'>>
}

/** @param options of PostgreSQL, such as settings or where its data is. */
export async function openSite(ends: Ends, options: Partial<PostgresOptions> = {}): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-drill-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  // PostgreSQL runs as another user where this runs as root.
  await chmod(folder, 0o777)
  const file = await localConfigFile(() => {})
  ends.push(file.remove)
  const postgres = await startPostgres({ fsync: false, ...options })
  ends.push(postgres.stop)
  const { databaseUrl, adminUrl } = await createLedgerDatabase(postgres)
  const chainFolder = join(folder, 'anvil')
  let chain = await startAnvil({ folder: chainFolder, port: 0, chainId: CHAIN_ID })
  ends.push(() => chain.stop())
  const { rpcUrl } = chain
  const shared = { CONFIG_FILE: file.path, CHAIN_RPC_URL: rpcUrl, DATABASE_URL: databaseUrl }
  const variablesFor = (name: string) => ({ ...shared, DATA_DIR: join(folder, name) })
  const tokens = await prepareTraders(variablesFor('first'), ends)
  return {
    postgres,
    databaseUrl,
    adminUrl,
    folder,
    tokens,
    environment: { CONFIG_FILE: file.path, CHAIN_RPC_URL: rpcUrl },
    get chain() {
      return chain
    },
    async restartChain() {
      chain = await startAnvil({ folder: chainFolder, port: Number(new URL(rpcUrl).port), chainId: CHAIN_ID })
    },
    startServer: (name, variables = {}) => startServerProcess({ ...variablesFor(name), ...variables }, ends),
    conclude: (load, url = adminUrl) => conclude(load, url),
  }
}

/** Ends the load and compares each acknowledged command with the ledger of this database, whose books must balance. */
export async function conclude(load: SwapLoad, url: string) {
  const acknowledged = await load.stop()
  return withDatabase(url, (db) => compareWithLedger(db, acknowledged))
}

/** Runs some work on a database over one separate connection. */
export async function withDatabase<Result>(url: string, work: (db: Database) => Promise<Result>): Promise<Result> {
  const db = await openPostgresDatabase(url, { maxConnections: 1 })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** Compares acknowledged commands with the ledger, whose books must balance. */
export async function compareWithLedger(db: Database, acknowledged: readonly string[]) {
  const rows = await db.query<{ id: string }>('select id from swap_orders')
  const made = new Set(rows.map(({ id }) => id))
  const known = new Set(acknowledged)
  const repeated = acknowledged.length - known.size
  await expectBooksBalanced(db)
  return {
    acknowledged: acknowledged.length,
    lost: [...known].filter((id) => !made.has(id)).length,
    doubled: [...made].filter((id) => !known.has(id)).length + repeated,
  }
}

async function createLedgerDatabase({ url }: ThrowawayPostgres) {
  await withDatabase(url, async (db) => {
    await db.query(`create role servers login password '${PASSWORD}'`)
    await db.query('create database ledger owner servers')
  })
  const databaseUrl = new URL(url)
  Object.assign(databaseUrl, { username: 'servers', password: PASSWORD, pathname: '/ledger' })
  const adminUrl = new URL(url)
  adminUrl.pathname = '/ledger'
  return { databaseUrl: databaseUrl.href, adminUrl: adminUrl.href }
}

/** @returns the tokens of activated users with money in both assets. */
export async function prepareTraders(variables: NodeJS.ProcessEnv, ends: Ends, count = TRADERS): Promise<string[]> {
  const server = await startTestServer(variables)
  ends.push(server.destroy)
  const tokens: string[] = []
  while (tokens.length < count) tokens.push((await newTrader(server)).token)
  await server.ok('localPrice', { symbol: 'BNBUSDT', price: POOL_PRICE })
  await server.stop()
  return tokens
}
