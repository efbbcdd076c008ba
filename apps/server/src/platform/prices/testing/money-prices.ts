import type { AssetId } from '@clearwell/money/asset'
import { E18 } from '@clearwell/money/scale'
import type { MoneyPrice, MoneyPrices } from '../money-prices.ts'

const FRESH_MS = 60_000

/** Prices of money that a test sets. An asset without one is unknown; USDT is 1. */
export interface TestMoneyPrices extends MoneyPrices {
  /** Two fresh sources with these prices in whole USDT, or in E18 where `unit` is 1n. They count for a minute. */
  fresh(asset: AssetId, low: bigint, high?: bigint, unit?: bigint): void
  /** The same, but too far apart for borrowing. */
  apart(asset: AssetId, low: bigint, high: bigint, unit?: bigint): void
  /** Takes the price away; the mean of the last one stays known. */
  lose(asset: AssetId, state: 'one_source' | 'stale' | 'unknown'): void
  set(asset: AssetId, price: MoneyPrice): void
}

/** @param now the time of the prices that are set. */
export function createTestMoneyPrices(now: () => Date): TestMoneyPrices {
  const prices = new Map<AssetId, MoneyPrice>()
  const usable = (state: 'fresh' | 'apart', lowE18: bigint, highE18: bigint): MoneyPrice => {
    const time = now()
    const goodUntil = new Date(time.getTime() + FRESH_MS)
    return { state, lowE18, highE18, meanE18: (lowE18 + highE18) / 2n, time, goodUntil }
  }
  return {
    fresh: (asset, low, high = low, unit = E18) => void prices.set(asset, usable('fresh', low * unit, high * unit)),
    apart: (asset, low, high, unit = E18) => void prices.set(asset, usable('apart', low * unit, high * unit)),
    lose(asset, state) {
      const held = prices.get(asset)
      const lastE18 = held && ('meanE18' in held ? held.meanE18 : held.lastE18)
      prices.set(asset, { state, lastE18, time: held?.time })
    },
    set: (asset, price) => void prices.set(asset, price),
    async price(asset) {
      if (asset === 'USDT') return usable('fresh', E18, E18)
      return prices.get(asset) ?? { state: 'unknown', lastE18: undefined, time: undefined }
    },
  }
}
