import { minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { BPS, E18 } from '@clearwell/money/scale'
import { squareRoot } from './square-root.ts'
import { midPriceE18, type PoolReserves } from './swap.ts'

/** A sale that brings a pool to the market's price. */
export interface Arbitrage {
  /** 1 sells the quote asset. */
  readonly inverse: 0 | 1
  readonly amountIn: bigint
}

/**
 * Plans the sale that moves a pool to the spot price. With a constant `k = base × quote`, the reserves at that price are
 * `√(k ÷ price)` and `√(k × price)`; the sale fills the reserve that is too low. It ignores the fee, so the pool ends some
 * hundredths of a per cent short of the price.
 *
 * @param arbitrage.toleranceBps the distance from the spot price below which the sale is not worth its fee.
 * @param arbitrage.funds the amounts that can be sold, per asset.
 * @returns `undefined` when the pool is close enough or empty, or when there is nothing to sell.
 */
export function planArbitrage(arbitrage: {
  readonly reserves: PoolReserves
  readonly spotE18: bigint
  readonly toleranceBps: bigint
  readonly funds: PoolReserves
}): Arbitrage | undefined {
  const { reserves, spotE18, toleranceBps, funds } = arbitrage
  const priceE18 = midPriceE18(reserves)
  if (priceE18 === undefined || spotE18 <= 0n) return undefined
  const distance = priceE18 > spotE18 ? priceE18 - spotE18 : spotE18 - priceE18
  if (distance * BPS <= spotE18 * toleranceBps) return undefined
  const k = reserves.base * reserves.quote
  const isDear = priceE18 > spotE18
  const wanted = isDear
    ? squareRoot(mulDiv(k, E18, spotE18, 'down')) - reserves.base
    : squareRoot(mulDiv(k, spotE18, E18, 'down')) - reserves.quote
  const amountIn = minUnits(wanted, isDear ? funds.base : funds.quote)
  return amountIn > 0n ? { inverse: isDear ? 0 : 1, amountIn } : undefined
}
