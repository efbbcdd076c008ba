import { type Command, type Plan, type State, write } from '@clearwell/ledger/command'
import { formatAmount } from '@clearwell/money/amount'
import { type RevenueParts, splitRevenue } from '@clearwell/rules/revenue-split'
import {
  midPriceE18,
  type PoolReserves,
  quoteExactIn,
  quoteExactOut,
  type SwapFees,
  type SwapQuote,
} from '@clearwell/rules/swap'
import { poolAccount, REWARDS, TREASURY, userAccount } from '../../platform/ledger/accounts.ts'
import { refuseWhenStopped } from '../../platform/ledger/breaker.ts'
import { members } from '../../platform/ledger/members.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import type { PoolDefinition } from './open-pool.ts'
import { swapOrderId } from './order-id.ts'
import { isMoveAllowed, type PriceBand } from './pool-breaker.ts'
import { candlesAfter } from './swap.candles.ts'
import { swapEntries } from './swap.postings.ts'
import { swapOrders, swapPools } from './swap.tables.ts'

export interface SwapRules {
  readonly fees: SwapFees
  readonly revenueShares: RevenueParts
}

/** What of a swap is fixed, and what it may come to at worst. */
export type SwapAmounts =
  | { readonly amountIn: bigint; readonly minAmountOut: bigint }
  /** Buys this much, or the little more that its price in whole units buys. */
  | { readonly amountOut: bigint; readonly maxAmountIn: bigint }

export type SwapInput = SwapAmounts & {
  readonly userId: string
  /** The inviter, if there is one. */
  readonly parentId: string | null
  readonly pool: PoolDefinition
  /** Sells the quote asset instead of the base asset. */
  readonly inverse: boolean
  readonly deadline: Date
  readonly key: string | undefined
  /** Where the pool's price may go, as known when the swap was asked for; absent where nothing is known. */
  readonly band?: PriceBand | undefined
}

export interface SwapAnswer {
  readonly transaction_id: string
  readonly status: 'completed'
  readonly amount_in: string
  readonly amount_out: string
  readonly fee: string
}

/** Swaps at the pool's state in order of arrival, at its limit or better, or not at all. */
export function executeSwap(rules: SwapRules, input: SwapInput): Command<SwapAnswer> {
  const { userId, parentId, pool, inverse, deadline, key, band } = input
  const [sold, bought] = inverse ? [pool.quote, pool.base] : [pool.base, pool.quote]
  const trader = userAccount(userId, 'available')
  const account = poolAccount(pool.id)
  return {
    kind: 'swap',
    owner: userId,
    key,
    payload: { pool: pool.id, inverse, ...payloadOf(input), deadline: deadline.toISOString() },
    // Not the breaker: one swap loads it, and all that follow find it in memory.
    touches: [
      { table: swapPools, id: pool.id },
      { table: members, id: userId },
      ...(parentId === null ? [] : [{ table: members, id: parentId }]),
      { account, asset: pool.base },
      { account, asset: pool.quote },
      { account: trader, asset: sold },
      { account: trader, asset: bought },
      { account: REWARDS, asset: sold },
      { account: TREASURY, asset: sold },
    ],
    decide(state, context): Plan<SwapAnswer> {
      if (!state.row(members, userId)?.activated_at) throw refusal('not_activated')
      const open = state.row(swapPools, pool.id)
      if (!open) throw refusal('not_found')
      refuseWhenStopped(state)
      if (open.suspended_at) throw refusal('trading_suspended', { reason: open.suspended_reason })

      const reserves = reservesOf(state, pool)
      const quote = quoteSwap(rules.fees, reserves, inverse, input)
      const priceE18 = midPriceE18(quote.reservesAfter) ?? 0n
      refuseOutsideBand(band, reserves, priceE18)
      const amountIn = formatAmount({ asset: sold, units: quote.amountIn })
      const amountOut = formatAmount({ asset: bought, units: quote.amountOut })
      // What the caller has not fixed is what moved.
      const moved = 'amountIn' in input ? { amount_out: amountOut } : { amount_in: amountIn }
      if (context.now > deadline) throw refusal('price_moved', { reason: 'deadline_passed', ...moved })
      if (isBeyondLimit(quote, input)) throw refusal('price_moved', moved)
      if (state.balance(trader, sold) < quote.amountIn) {
        throw refusal(sold === 'RT' ? 'rt_balance_not_enough' : 'balance_not_enough')
      }

      const orderId = swapOrderId(pool.id, context.now, context.id('swap'))
      const inviterId = parentId !== null && state.row(members, parentId)?.activated_at ? parentId : undefined
      const revenue = splitRevenue(quote.revenue, rules.revenueShares)
      const [volumeBase, volumeQuote] = inverse ? [quote.amountOut, quote.amountIn] : [quote.amountIn, quote.amountOut]
      const move = { beforeE18: midPriceE18(reserves) ?? 0n, priceE18, volumeBase, volumeQuote }
      const hasPrices = move.beforeE18 > 0n && priceE18 > 0n
      const candles = hasPrices ? candlesAfter(state, pool.id, context.now, move) : []
      const order = {
        id: orderId,
        user_id: userId,
        pool_id: pool.id,
        inverse,
        amount_in: quote.amountIn,
        amount_out: quote.amountOut,
        fee: quote.fee,
        created_at: context.now,
      }
      return {
        entries: swapEntries({ orderId, userId, poolId: pool.id, sold, bought, quote, revenue, inviterId }),
        rows: [write(swapOrders, order), ...candles],
        answer: {
          transaction_id: orderId,
          status: 'completed',
          amount_in: amountIn,
          amount_out: amountOut,
          fee: formatAmount({ asset: sold, units: quote.fee }),
        },
      }
    },
  }
}

/**
 * What a swap comes to at a pool's reserves.
 *
 * @throws Refusal `amount_out_of_range` where there is nothing to trade.
 */
export function quoteSwap(
  fees: SwapFees,
  reserves: PoolReserves,
  inverse: boolean,
  amount: { readonly amountIn: bigint } | { readonly amountOut: bigint },
): SwapQuote {
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
 * Refuses a swap after which the pool would stand where it is suspended, unless it stood farther off before.
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

function isBeyondLimit(quote: SwapQuote, limit: SwapAmounts): boolean {
  return 'amountIn' in limit ? quote.amountOut < limit.minAmountOut : quote.amountIn > limit.maxAmountIn
}

/** What an idempotency key stands for. Of an exact sale it is what it always was: kept answers must go on to fit. */
function payloadOf(amounts: SwapAmounts): Record<string, string> {
  return 'amountIn' in amounts
    ? { amountIn: amounts.amountIn.toString(), minAmountOut: amounts.minAmountOut.toString() }
    : { amountOut: amounts.amountOut.toString(), maxAmountIn: amounts.maxAmountIn.toString() }
}

function reservesOf(state: State, pool: PoolDefinition): PoolReserves {
  const account = poolAccount(pool.id)
  return { base: state.balance(account, pool.base), quote: state.balance(account, pool.quote) }
}
