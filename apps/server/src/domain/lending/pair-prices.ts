import type { AssetId } from '@clearwell/money/asset'
import type { MoneyPrices } from '../../platform/prices/money-prices.ts'
import { combinePrices, type KnownPrices } from './loan-prices.ts'

/** The two assets of a loan. */
export interface LoanPair {
  readonly collateral: AssetId
  readonly borrowed: AssetId
}

/** A pair of assets and what is known about its prices. */
export interface PricedPair extends LoanPair {
  readonly prices: KnownPrices
}

/** Prices of the pairs that loans are made of. */
export interface PairPrices {
  of(pair: LoanPair): Promise<KnownPrices>
  /** Every pair, also without prices. */
  all(): Promise<PricedPair[]>
  /** The pairs that one asset is borrowed in. */
  ofPool(borrowed: AssetId): Promise<PricedPair[]>
}

interface PairRules {
  readonly collateral: readonly AssetId[]
  readonly pools: readonly { readonly asset: AssetId }[]
}

export function createPairPrices({
  moneyPrices,
  rules,
}: {
  readonly moneyPrices: MoneyPrices
  readonly rules: PairRules
}): PairPrices {
  async function of({ collateral, borrowed }: LoanPair): Promise<KnownPrices> {
    const [one, other] = await Promise.all([moneyPrices.price(collateral), moneyPrices.price(borrowed)])
    return combinePrices(one, other)
  }
  const priced = (pairs: readonly LoanPair[]) =>
    Promise.all(pairs.map(async (pair) => ({ ...pair, prices: await of(pair) })))
  return {
    of,
    all: () => priced(rules.pools.flatMap(({ asset }) => pairsOf(rules, asset))),
    ofPool: (borrowed) => priced(pairsOf(rules, borrowed)),
  }
}

/** Collateral is never removed from the rules, so these are the pairs of all open orders, too. */
function pairsOf({ collateral }: PairRules, borrowed: AssetId): LoanPair[] {
  return collateral.flatMap((each) => (each === borrowed ? [] : [{ collateral: each, borrowed }]))
}
