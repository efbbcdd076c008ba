import type { Queryable } from '@clearwell/ledger/database'
import type { AssetId } from '@clearwell/money/asset'
import { type ProofPosition, proofPositions } from './proof.tables.ts'

/** The pledges, the open orders and the pools, as the positions tree and the hash of the pools need them. */
export interface Positions {
  readonly pledges: readonly {
    readonly salt: string
    readonly account: string
    readonly asset: AssetId
    readonly shares: bigint
  }[]
  readonly orders: readonly OpenOrder[]
  /** Those that exist. */
  readonly pools: readonly PoolTotals[]
}

/** A leaf of the newest recorded header. */
export type HeldPosition = Omit<ProofPosition, 'ended' | 'ended_at'>

interface OpenOrder {
  readonly id: string
  readonly salt: string
  readonly account: string
  readonly collateral_asset: AssetId
  readonly collateral: bigint
  readonly borrow_asset: AssetId
  readonly debt_shares: bigint
}

interface PoolTotals {
  readonly asset: AssetId
  readonly shares: bigint
  readonly debt_shares: bigint
  readonly index_e27: bigint
}

export async function readPositions(tx: Queryable): Promise<Positions> {
  const pledges = await tx.query<Positions['pledges'][number]>(
    `select salt, user_id as account, asset, shares
     from pledges join proof_accounts on proof_accounts.id = user_id where shares > 0`,
  )
  const orders = await tx.query<OpenOrder>(
    `select loans.id, salt, user_id as account, collateral_asset, collateral, borrow_asset, debt_shares
     from loans join proof_accounts on proof_accounts.id = user_id where status in (0, 2)`,
  )
  const pools = await tx.query<PoolTotals>('select id as asset, shares, debt_shares, index_e27 from lending_pools')
  return { pledges, orders, pools }
}

/** Reads the leaves of the positions tree in the newest recorded header. */
export function readHeldPositions(tx: Queryable): Promise<HeldPosition[]> {
  return tx.query<HeldPosition>(`select ${proofPositions.columns} from proof_positions where ended is null`)
}
