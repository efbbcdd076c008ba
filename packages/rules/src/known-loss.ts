import { RAY } from './borrow-index.ts'
import type { LoanPrices } from './loan.ts'
import type { RatioLine } from './ratio-index.ts'
import type { RatioSums } from './ratio-node.ts'

const BPS = 10_000n

/** How the collateral of a pair counts for the known loss. */
export interface LossTerms {
  /** The index of the borrowed asset's pool now, at 10^27. */
  readonly indexE27: bigint
  /** The worse prices for the borrower, or those of {@link countUnsure}. A collateral price of 0 counts the collateral as nothing. */
  readonly prices: LoanPrices
  /** How much of the collateral's value counts, in basis points: 10000 at prices that a source has now, 8000 at the last ones. */
  readonly countedBps: bigint
  /** Collateral that clears a unit of debt, by value, in basis points: 10200. */
  readonly floorBps: bigint
}

/** Prices while money has none: the last ones that it could use, and what a single source says now. */
export interface UnsurePrices {
  readonly last: LoanPrices
  /** The lowest fresh reading of the collateral and the highest of the borrowed asset; the last price of one that has none. */
  readonly reading: LoanPrices | undefined
}

/**
 * Returns how collateral counts while money has no price: at a part of its last price, or at what a single source says where that is
 * less. So leaving early gains nothing over a fall that one of our sources shows.
 *
 * @param unknownBps the part of the last price, in basis points: 8000.
 */
export function countUnsure(
  { last, reading }: UnsurePrices,
  unknownBps: bigint,
): Pick<LossTerms, 'prices' | 'countedBps'> {
  const isLower =
    reading !== undefined && reading.collateral * last.borrowed * BPS < last.collateral * reading.borrowed * unknownBps
  return isLower ? { prices: reading, countedBps: BPS } : { prices: last, countedBps: unknownBps }
}

/** The orders of a pair that are below {@link lossLine}, and how they count. */
export interface PairLoss {
  readonly below: RatioSums
  readonly terms: LossTerms
}

/** Returns the ratio of collateral to debt shares below which an order would lose money: `debt > collateral value ÷ 1.02`. */
export function lossLine({ indexE27, prices, countedBps, floorBps }: LossTerms): RatioLine {
  return { top: indexE27 * prices.borrowed * floorBps, bottom: prices.collateral * countedBps * RAY }
}

/**
 * Computes the known loss of a pool, in base units: the sum over all its orders of `max(0, debt - collateral value ÷ 1.02)`, where
 * the debt is not rounded.
 *
 * Rounded up once, for the pledgers who stay: the sum of all pairs is an exact fraction.
 *
 * @param pairs one for each collateral asset.
 * @example
 * knownLoss(pairs.map((terms) => ({ terms, below: index.sumBelow(lossLine(terms)) })))
 */
export function knownLoss(pairs: readonly PairLoss[]): bigint {
  let [top, bottom] = [0n, 1n]
  for (const { below, terms } of pairs) {
    const line = lossLine(terms)
    const loss = below.debtShares * line.top - below.collateral * line.bottom
    // Also where the borrowed asset never had a price: then it has no orders.
    if (loss === 0n) continue
    const scale = RAY * terms.prices.borrowed * terms.floorBps
    ;[top, bottom] = scale === bottom ? [top + loss, bottom] : [top * scale + loss * bottom, bottom * scale]
  }
  return (top + bottom - 1n) / bottom
}
