import type { ResponseOf } from '@clearwell/api/routes'
import { formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import {
  midPriceE18,
  type PoolReserves,
  quoteExactIn,
  quoteExactOut,
  type SwapFees,
  type SwapQuote,
} from '@clearwell/rules/swap'
import { refusal } from '../../platform/ledger/refuse.ts'
import type { Ruled } from '../../platform/rules/ruled.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { type PoolDefinition, sidesOf } from './open-pool.ts'
import { isMoveAllowed, type PriceBand } from './pool-breaker.ts'
import type { PoolView } from './pool-view.ts'

/** The side of a swap that the user fixes. */
export type QuotedAmount = { readonly amountIn: bigint } | { readonly amountOut: bigint }

/** The response of `getQuote`: the amounts of a swap that executes now. */
export async function quoteNow(
  deps: {
    readonly view: Pick<PoolView, 'states'>
    readonly clock: Clock
    readonly fees: Ruled<SwapFees>
    readonly quoteTtlMs: number
    /** The pool's allowed prices now; `undefined` without a fresh reference price. */
    readonly bandOf: (poolId: string) => PriceBand | undefined
  },
  { pool, inverse, amount }: { pool: PoolDefinition; inverse: boolean; amount: QuotedAmount },
): Promise<ResponseOf<'getQuote'>> {
  const state = (await deps.view.states()).find((each) => each.pool.id === pool.id)
  if (!state) throw refusal('not_found')
  if (state.suspended) throw refusal('trading_suspended', { reason: state.suspended.reason ?? undefined })
  const quote = quoteSwap(await deps.fees.now(), state.reserves, inverse, amount)
  refuseOutsideBand(deps.bandOf(pool.id), state.reserves, midPriceE18(quote.reservesAfter) ?? 0n)
  const [sold, bought] = sidesOf(pool, inverse)
  return {
    amount_in: formatAmount({ asset: sold, units: quote.amountIn }),
    amount_out: formatAmount({ asset: bought, units: quote.amountOut }),
    amount_out_orginal: formatAmount({ asset: bought, units: quote.amountOutAtMid }),
    price_impact: formatUnits(quote.priceImpactE18, 18),
    fee: formatAmount({ asset: sold, units: quote.fee }),
    price: formatUnits(midPriceE18(state.reserves) ?? 0n, 18),
    time: state.at.toISOString(),
    expires_at: new Date(deps.clock.now().getTime() + deps.quoteTtlMs).toISOString(),
  }
}

/**
 * A swap's amounts at a pool's reserves.
 *
 * @throws Refusal `amount_out_of_range` if the amount is too small, or more than the pool can give.
 */
export function quoteSwap(fees: SwapFees, reserves: PoolReserves, inverse: boolean, amount: QuotedAmount): SwapQuote {
  const direction = inverse ? 'quote_to_base' : 'base_to_quote'
  if ('amountIn' in amount) {
    const quote = quoteExactIn({ reserves, direction, amountIn: amount.amountIn, fees })
    if (!quote) throw refusal('amount_out_of_range', { reason: 'too small to buy anything' })
    return quote
  }
  const quote = quoteExactOut({ reserves, direction, amountOut: amount.amountOut, fees })
  if (!quote) throw refusal('amount_out_of_range', { reason: 'more than the pool can give' })
  return quote
}

/**
 * Refuses a swap that would move the pool's price out of its band, unless the price was farther outside before.
 *
 * @param afterE18 the pool's price after the swap.
 * @throws Refusal `trading_suspended`.
 */
export function refuseOutsideBand(band: PriceBand | undefined, reserves: PoolReserves, afterE18: bigint): void {
  if (!band) return
  const priceBefore = () => midPriceE18(reserves) ?? 0n
  if (!isMoveAllowed({ priceBefore, afterE18, band })) {
    throw refusal('trading_suspended', { reason: 'price_deviation' })
  }
}
