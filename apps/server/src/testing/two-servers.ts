import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectBooksBalanced, newTestPostgres } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll } from 'vitest'
import type { FileConfig } from '../load-config.ts'
import { startAnvil } from '../platform/chain/anvil.ts'
import { localConfigFile } from '../platform/chain/testing/local-chain.ts'
import { MIGRATION_FOLDERS } from '../platform/database/open-database.ts'
import { startTestServer, type TestServer } from './server.ts'

/** Several servers need a database that takes more than one process. */
export const canShareLedger = process.env.TEST_DATABASE === 'postgres'

const CHAIN_ID = 31337

/** A migrated database and a chain for several servers. */
export interface SharedLedger {
  readonly rpcUrl: string
  /** The environment of a server, with a data folder of this name. The first server puts the contracts on the chain. */
  variablesFor(name: string): NodeJS.ProcessEnv
  /** Ends the chain and deletes everything. The servers are ended before. */
  end(): Promise<void>
}

/**
 * Makes a ledger that several servers can share.
 *
 * @param databaseUrl an empty database. Absent: a new one of the PostgreSQL for tests.
 */
export async function openSharedLedger(
  change: (config: FileConfig) => unknown = () => {},
  databaseUrl?: string,
): Promise<SharedLedger> {
  const ends: (() => Promise<unknown>)[] = []
  const end = async () => {
    for (const each of ends.splice(0).reverse()) await each()
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'clearwell-shared-'))
    ends.push(() => rm(folder, { recursive: true, force: true }))
    const file = await localConfigFile(change)
    ends.push(file.remove)
    const anvil = await startAnvil({ folder: join(folder, 'anvil'), port: 0, chainId: CHAIN_ID })
    ends.push(anvil.stop)
    const database = databaseUrl === undefined ? await newTestPostgres(MIGRATION_FOLDERS) : undefined
    if (database) ends.push(database.drop)
    const DATABASE_URL = databaseUrl ?? database?.url
    const shared = { CONFIG_FILE: file.path, CHAIN_RPC_URL: anvil.rpcUrl, DATABASE_URL }
    return {
      rpcUrl: anvil.rpcUrl,
      variablesFor: (name) => ({ ...shared, DATA_DIR: join(folder, name) }),
      end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** Two servers of one ledger; the first is the writer. Their watchers run only when a test calls them. */
export interface TwoServers {
  readonly writing: TestServer
  readonly other: TestServer
  readonly rpcUrl: string
  end(): Promise<void>
}

async function startTwoServers(change: (config: FileConfig) => unknown = () => {}): Promise<TwoServers> {
  const ledger = await openSharedLedger((config) => {
    config.chain.pollMs = 3_600_000
    change(config)
  })
  const started: TestServer[] = []
  const end = async () => {
    for (const server of started.splice(0).reverse()) await server.destroy()
    await ledger.end()
  }
  try {
    const writing = await startTestServer(ledger.variablesFor('first'))
    started.push(writing)
    const other = await startTestServer(ledger.variablesFor('other'))
    started.push(other)
    return { writing, other, rpcUrl: ledger.rpcUrl, end }
  } catch (error) {
    await end()
    throw error
  }
}

/**
 * Starts two servers of one ledger before the tests of a file, which share them: each test has its own users. The books must
 * balance at the end.
 *
 * @returns the servers, to be read only inside tests and hooks. Without PostgreSQL there are none.
 */
export function shareTwoServers(change?: (config: FileConfig) => unknown): TwoServers {
  const servers = {} as TwoServers
  if (!canShareLedger) return servers
  beforeAll(async () => {
    Object.assign(servers, await startTwoServers(change))
  })
  afterAll(async () => {
    try {
      await expectBooksBalanced(servers.other.db)
    } finally {
      await servers.end()
    }
  })
  return servers
}
