import type { AssetId } from '@clearwell/money/asset'
import type { PoolReserves } from '@clearwell/rules/swap'
import { defineListPort } from '../../platform/port.ts'

/** A pool and the spot price of its pair. */
export interface PoolToFollow {
  readonly pool: { readonly id: string; readonly base: AssetId; readonly quote: AssetId }
  readonly reserves: PoolReserves
  readonly spotE18: bigint
}

/** Trades on pools that are away from the market. */
export type FollowMarket = (pools: readonly PoolToFollow[]) => Promise<void>

/** The traders that bring pools near the market. The local profile has one. */
export const marketFollowers = defineListPort<FollowMarket>('market followers')
