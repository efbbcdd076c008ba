import type { AssetId } from '@clearwell/money/asset'
import { defineListPort } from '../port.ts'

const ONE_USDT_E18 = 10n ** 18n

/** A current price: 18-decimal fixed point of the quote asset, above zero. */
export interface Price {
  readonly priceE18: bigint
  readonly time: Date
  /** Good enough to display, but nothing may be borrowed, liquidated or reported on it. */
  readonly stale: boolean
  /** Why it is stale, where the source knows: one source alone, or none that is fresh. */
  readonly reason?: 'one_source' | 'stale'
}

/** A source of prices. A symbol is the base asset followed by the quote asset: BNBUSDT. */
export interface PriceSource {
  /** All its symbols, also those without a known price. */
  symbols(): Promise<Iterable<string>>
  /** From memory. `undefined` for a symbol of another source, and while no price is known. */
  price(symbol: string): Promise<Price | undefined>
  /** E18 prices at past times, in their order; `undefined` where none is known. */
  pricesAtE18(symbol: string, times: readonly Date[]): Promise<readonly (bigint | undefined)[]>
}

/** The price service asks the features in their order. */
export const priceSources = defineListPort<PriceSource>('price sources')

/** A symbol that a user can watch. */
export interface WatchablePrice {
  readonly symbol: string
  /** Absent while no price is known. */
  readonly latest: Price | undefined
  /** The latest price unless it is stale. */
  readonly priceE18: bigint | undefined
}

/** The prices that every feature values, watches and judges by. */
export interface Prices {
  /** The current price of a symbol, stale or not. */
  price(symbol: string): Promise<Price | undefined>
  /** Returns the current value of one unit of an asset in USDT, stale or not, E18. */
  priceUsdtE18(asset: AssetId): Promise<bigint | undefined>
  /** The same at past times. */
  pricesUsdtAtE18(asset: AssetId, times: readonly Date[]): Promise<readonly (bigint | undefined)[]>
  /** Every symbol of every source. */
  watchable(): Promise<readonly WatchablePrice[]>
}

/**
 * One price service over the sources that features provide. The first source that lists a symbol decides for it, also
 * where it knows no price: a symbol of the spot market never takes a pool's price, which anyone with capital can move.
 *
 * @param sources read at each call, so a feature may add its source when it opens.
 */
export function createPrices(sources: readonly PriceSource[]): Prices {
  async function sourceOf(symbol: string): Promise<PriceSource | undefined> {
    for (const source of sources) for (const each of await source.symbols()) if (each === symbol) return source
    return undefined
  }
  const priceOf = async (symbol: string) => (await sourceOf(symbol))?.price(symbol)

  return {
    price: priceOf,
    async priceUsdtE18(asset) {
      if (asset === 'USDT') return ONE_USDT_E18
      return (await priceOf(`${asset}USDT`))?.priceE18
    },
    async pricesUsdtAtE18(asset, times) {
      if (asset === 'USDT') return times.map(() => ONE_USDT_E18)
      const symbol = `${asset}USDT`
      const source = await sourceOf(symbol)
      return source ? source.pricesAtE18(symbol, times) : times.map(() => undefined)
    },
    async watchable() {
      const watchable = new Map<string, WatchablePrice>()
      for (const source of sources) {
        const added = [...(await source.symbols())].filter((symbol) => !watchable.has(symbol))
        const latest = await Promise.all(added.map(source.price))
        added.forEach((symbol, index) => {
          watchable.set(symbol, watchableOf(symbol, latest[index]))
        })
      }
      return [...watchable.values()]
    },
  }
}

function watchableOf(symbol: string, latest: Price | undefined): WatchablePrice {
  return { symbol, latest, priceE18: latest?.stale ? undefined : latest?.priceE18 }
}
