import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll } from 'vitest'
import type { FileConfig } from '../load-config.ts'
import { startAnvil } from '../platform/chain/anvil.ts'
import { localConfigFile } from '../platform/chain/testing/local-chain.ts'
import { startTestServer, type TestServer } from './server.ts'

/** Several servers need a database that takes more than one process. */
export const canShareLedger = process.env.TEST_DATABASE === 'postgres'

const CHAIN_ID = 31337

/** A server, and what others of the same ledger and the same chain are started with. */
export interface SharedLedger {
  /** It has made the database and has put the contracts on the chain. */
  readonly first: TestServer
  readonly rpcUrl: string
  /** The environment of one more server, with a data folder of this name. */
  variablesFor(name: string): NodeJS.ProcessEnv
  /** Ends the first server and the chain, and deletes everything. The others are ended before. */
  end(): Promise<void>
}

/** Starts the first server of a ledger that several share. */
export async function startSharedLedger(change: (config: FileConfig) => unknown = () => {}): Promise<SharedLedger> {
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
    const shared = { CONFIG_FILE: file.path, CHAIN_RPC_URL: anvil.rpcUrl }
    const first = await startTestServer({ ...shared, DATA_DIR: join(folder, 'first') })
    ends.push(first.destroy)
    return {
      first,
      rpcUrl: anvil.rpcUrl,
      variablesFor(name) {
        return { ...shared, DATA_DIR: join(folder, name), DATABASE_URL: first.config.env.databaseUrl }
      },
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

export async function startTwoServers(change: (config: FileConfig) => unknown = () => {}): Promise<TwoServers> {
  const ledger = await startSharedLedger((config) => {
    config.chain.pollMs = 3_600_000
    change(config)
  })
  try {
    const other = await startTestServer(ledger.variablesFor('other'))
    return {
      writing: ledger.first,
      other,
      rpcUrl: ledger.rpcUrl,
      async end() {
        await other.destroy()
        await ledger.end()
      },
    }
  } catch (error) {
    await ledger.end()
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
  }, 60_000)
  afterAll(async () => {
    try {
      await expectBooksBalanced(servers.other.db)
    } finally {
      await servers.end()
    }
  })
  return servers
}
