import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import { column, defineTable, forever } from '@clearwell/ledger/table'

export const localDeployment = defineTable('local_deployment', forever('one row, in the local profile only'), {
  chain_id: column.integer,
  vault: column.textOf<`0x${string}`>(),
  vault_block: column.text,
  usdt: column.textOf<`0x${string}`>(),
  eth: column.textOf<`0x${string}`>(),
  rpc_url: column.optional(column.text),
})

/** The addresses of the contracts on a local chain. */
export interface Deployment {
  readonly vault: `0x${string}`
  /** As decimal digits, because JSON has no bigint. */
  readonly vaultBlock: string
  readonly USDT: `0x${string}`
  readonly ETH: `0x${string}`
}

/** Remembers the contracts of the local chain for every server of the ledger. */
export interface DeploymentStore {
  read(): Promise<Deployment | undefined>
  /** Stores a deployment. @returns the one that another server has stored first, or this one. */
  add(deployment: Deployment): Promise<Deployment>
  /** Replaces a deployment whose chain is gone. */
  replace(deployment: Deployment): Promise<void>
  /** The address of the chain that a server of this ledger started last. */
  chainUrl(): Promise<string | undefined>
  setChainUrl(rpcUrl: string): Promise<void>
}

type Row = Pick<RowOf<typeof localDeployment>, 'vault' | 'vault_block' | 'usdt' | 'eth'>

/** @param folder where earlier versions kept the addresses, in `deployment.json`. */
export function createDeploymentStore(db: Database, chainId: number, folder: string): DeploymentStore {
  async function read(): Promise<Deployment | undefined> {
    const [row] = await db.query<Row>(
      'select vault, vault_block, usdt, eth from local_deployment where chain_id = $1',
      [chainId],
    )
    if (row) return { vault: row.vault, vaultBlock: row.vault_block, USDT: row.usdt, ETH: row.eth }
    const text = await readFile(join(folder, 'deployment.json'), 'utf8').catch(() => undefined)
    return text === undefined ? undefined : add(JSON.parse(text) as Deployment)
  }

  async function add({ vault, vaultBlock, USDT, ETH }: Deployment): Promise<Deployment> {
    await db.query(
      `insert into local_deployment (chain_id, vault, vault_block, usdt, eth) values ($1, $2, $3, $4, $5)
       on conflict (chain_id) do nothing`,
      [chainId, vault, vaultBlock, USDT, ETH],
    )
    return (await read()) as Deployment
  }

  return {
    read,
    add,
    async replace(deployment) {
      await db.query('delete from local_deployment where chain_id = $1', [chainId])
      await add(deployment)
    },
    async chainUrl() {
      const [row] = await db.query<{ rpc_url: string | null }>(
        'select rpc_url from local_deployment where chain_id = $1',
        [chainId],
      )
      return row?.rpc_url ?? undefined
    },
    async setChainUrl(rpcUrl) {
      await db.query('update local_deployment set rpc_url = $2 where chain_id = $1', [chainId, rpcUrl])
    },
  }
}
