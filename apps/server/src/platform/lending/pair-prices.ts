import { Refusal } from '@clearwell/ledger/refusal'
import type { AssetId } from '@clearwell/money/asset'
import type { Prices } from '../prices/prices.ts'
import type { Clock } from '../time/clock.ts'
import { type FreshPrices, readLoanPrices } from './loan-prices.ts'

/** The two assets of a loan. */
interface Pair {
  readonly collateral: AssetId
  readonly borrowed: AssetId
}

/** A pair of assets and its fresh prices. */
export interface PricedPair extends Pair {
  readonly prices: FreshPrices
}

/** Prices of the pairs that loans are made of. A pair with a price that is out of date has none. */
export interface PairPrices {
  of(pair: Pair): Promise<FreshPrices | undefined>
  /** The pairs whose prices are fresh. */
  all(): Promise<PricedPair[]>
}

export function createPairPrices({
  prices,
  clock,
  rules,
}: {
  readonly prices: Prices
  readonly clock: Clock
  readonly rules: {
    readonly collateral: readonly AssetId[]
    readonly pools: readonly { readonly asset: AssetId }[]
    readonly priceMaxAgeMs: number
  }
}): PairPrices {
  const deps = { prices, staleAfterMs: rules.priceMaxAgeMs, now: () => clock.now() }
  const pairs = rules.collateral.flatMap((collateral) =>
    rules.pools.flatMap(({ asset: borrowed }) => (collateral === borrowed ? [] : [{ collateral, borrowed }])),
  )
  const of = (pair: Pair) => readLoanPrices(deps, pair).catch(ignoreStale)
  return {
    of,
    async all() {
      const read = await Promise.all(pairs.map(async (pair) => ({ ...pair, prices: await of(pair) })))
      return read.filter((each): each is PricedPair => each.prices !== undefined)
    },
  }
}

function ignoreStale(error: unknown): undefined {
  if (error instanceof Refusal) return undefined
  throw error
}
