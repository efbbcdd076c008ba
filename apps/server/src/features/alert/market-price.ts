import type { Direction } from './alert.store.ts'

/** A market that alerts can be set on. */
export interface MarketPrice {
  readonly symbol: string
  /** 18-decimal fixed point of the quote asset; `undefined` while no price is known that is fresh enough to be told. */
  readonly priceE18: bigint | undefined
}

/** Whether a price is where an alert waits for it: at the alert's own price or beyond. */
export function isReached(direction: Direction, alertE18: bigint, priceE18: bigint): boolean {
  return direction === 'above' ? priceE18 >= alertE18 : priceE18 <= alertE18
}
