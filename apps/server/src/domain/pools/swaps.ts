import type { Command, State } from '@clearwell/ledger/command'
import type { AssetId } from '@clearwell/money/asset'
import type { PoolReserves, SwapFees } from '@clearwell/rules/swap'
import { definePort } from '../../platform/port.ts'
import type { Ruled } from '../../platform/rules/ruled.ts'

/** A pool that users swap in. */
export interface SwapPool {
  readonly id: string
  readonly base: AssetId
  readonly quote: AssetId
  /** `BNBUSDT`. */
  readonly symbol: string
}

/** A sale of an exact amount, at a least output. */
export interface SaleInput {
  readonly userId: string
  /** The inviter, if there is one. */
  readonly parentId: string | null
  readonly poolId: string
  /** Sells the quote asset instead of the base asset. */
  readonly inverse: boolean
  readonly amountIn: bigint
  readonly minAmountOut: bigint
}

export interface Sale {
  readonly transaction_id: string
  readonly amount_in: string
  readonly amount_out: string
}

/** The swaps of the pools, for features that swap on behalf of a user. */
export interface Swaps {
  readonly fees: Ruled<SwapFees>
  readonly pools: () => readonly SwapPool[]
  /** The ordinary swap as a command, so that another one can compose it: the same checks, entries, receipt and fee day. */
  readonly sell: (sale: SaleInput) => Command<Sale>
  readonly reserves: (state: Pick<State, 'balance'>, pool: SwapPool) => PoolReserves
  /**
   * The price that judges a sale whose owner names none: the spot price where two sources are fresh, and for a pair
   * that the spot market does not list the pool's mean price of the last hour. `undefined` while it is unknown.
   */
  readonly referenceE18: (poolId: string) => Promise<bigint | undefined>
}

export const swaps = definePort<Swaps>('swaps')
