import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAnvil } from '@clearwell/server/src/platform/chain/anvil.ts'
import { startPostgres, type ThrowawayPostgres } from '../../scripts/postgres.ts'
import { endLater } from './clean-up.ts'

const CHAIN_ID = 31337

export interface ClusterOptions {
  readonly clients: number
  /** Open streams at each web server. */
  readonly streams: number
  readonly seconds: number
  readonly rounds: number
}

/** A database and a chain that all servers share. */
export interface ClusterSite {
  readonly postgres: ThrowawayPostgres
  readonly databaseUrl: string
  /** The variables of each server. */
  readonly variables: NodeJS.ProcessEnv
}

export async function openClusterSite(): Promise<ClusterSite> {
  const postgres = await startPostgres({ fsync: true })
  endLater(postgres.stop)
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-bench-'))
  endLater(() => rm(folder, { recursive: true, force: true }))
  const chain = await startAnvil({ folder: join(folder, 'anvil'), port: 0, chainId: CHAIN_ID })
  endLater(chain.stop)
  const variables = { DATABASE_URL: postgres.url, CHAIN_RPC_URL: chain.rpcUrl }
  return { postgres, databaseUrl: postgres.url, variables }
}
