import { type Command, type Context, type Plan, type State, write } from '@clearwell/ledger/command'
import { formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { feeInUsdt } from '@clearwell/rules/box-power'
import { hongKongDayOf, isHongKongTime } from '@clearwell/rules/hong-kong-day'
import { type RevenueParts, splitRevenue } from '@clearwell/rules/revenue-split'
import { midPriceE18, type PoolReserves, type SwapFees, type SwapQuote } from '@clearwell/rules/swap'
import { addFee, feeDayId, feeDays } from '../../domain/boxes/fee-days.ts'
import { isActivated, members, requireActivated } from '../../domain/members/members.ts'
import { poolAccount, REWARDS, TREASURY, userAccount } from '../../platform/ledger/accounts.ts'
import { refuseWhenStopped } from '../../platform/ledger/breaker.ts'
import { refuseUnproven } from '../../platform/ledger/header-age.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import type { Ruled } from '../../platform/rules/ruled.ts'
import { type PoolDefinition, sidesOf } from './open-pool.ts'
import { swapOrderId } from './order-id.ts'
import type { PriceBand } from './pool-breaker.ts'
import { quoteSwap, refuseOutsideBand } from './quote-swap.ts'
import { candlesAfter } from './swap.candles.ts'
import { swapEntries } from './swap.postings.ts'
import { swapOrders, swapPools } from './swap.tables.ts'

export interface SwapRules {
  readonly fees: Ruled<SwapFees>
  readonly revenueShares: Ruled<RevenueParts>
}

/** The fixed side of a swap, and the limit of the other side. */
export type SwapAmounts =
  | { readonly amountIn: bigint; readonly minAmountOut: bigint }
  /** Buys at least this much: the price is rounded up to whole units, which may buy slightly more. */
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
  /** The pool's allowed prices at the time of the request; absent if no fresh reference price is known. */
  readonly band?: PriceBand | undefined
  /** The most that a unit of the base asset counts for in boxes, in USDT at 10^18; absent if no price is known. */
  readonly marketE18?: bigint | undefined
}

export interface SwapResponse {
  readonly transaction_id: string
  readonly status: 'completed'
  readonly amount_in: string
  readonly amount_out: string
  readonly fee: string
}

/**
 * Swaps at the pool's current reserves and the fee in force, at the user's limit or better. Swaps execute in order of arrival.
 */
export function executeSwap(rules: SwapRules, input: SwapInput): Command<SwapResponse> {
  const { userId, parentId, pool, inverse, deadline, key } = input
  const [sold, bought] = sidesOf(pool, inverse)
  const trader = userAccount(userId, 'available')
  const account = poolAccount(pool.id)
  return {
    kind: 'swap',
    owner: userId,
    key,
    payload: { pool: pool.id, inverse, ...payloadOf(input), deadline: deadline.toISOString() },
    // Without the breaker's row: the first swap loads it, and all later ones find it in memory.
    preload: [
      { table: swapPools, id: pool.id },
      { table: members, id: userId },
      ...(parentId === null ? [] : [{ table: members, id: parentId }]),
      { account, asset: pool.base },
      { account, asset: pool.quote },
      { account: trader, asset: sold },
      { account: trader, asset: bought },
      { account: REWARDS, asset: sold },
      { account: TREASURY, asset: sold },
      // A deadline is some minutes ahead: nearly always on the day of the swap. A swap after its deadline is refused.
      ...(isHongKongTime(deadline) ? [{ table: feeDays, id: feeDayId(userId, hongKongDayOf(deadline)) }] : []),
    ],
    decide(state, context) {
      refuseIfClosed(state, context.now, input)
      const reserves = reservesOf(state, pool)
      const quote = quoteSwap(rules.fees.in(state, context.now), reserves, inverse, input)
      checkQuote(state, context.now, input, { reserves, quote })
      return planSwap(rules, input, { state, context, reserves, quote })
    },
  }
}

/** @throws Refusal if the user or the pool may not trade. */
function refuseIfClosed(state: State, now: Date, { userId, pool }: SwapInput): void {
  requireActivated(state, userId)
  const open = state.row(swapPools, pool.id)
  if (!open) throw refusal('not_found')
  refuseWhenStopped(state)
  // The swap of a plan is decided under the name of its job.
  refuseUnproven(state, now)
  if (open.suspended_at) throw refusal('trading_suspended', { reason: open.suspended_reason ?? undefined })
}

/** @throws Refusal if the quote breaks a limit: the pool's band, the user's deadline or price, or the user's balance. */
function checkQuote(
  state: State,
  now: Date,
  input: SwapInput,
  { reserves, quote }: { reserves: PoolReserves; quote: SwapQuote },
): void {
  const [sold, bought] = sidesOf(input.pool, input.inverse)
  refuseOutsideBand(input.band, reserves, midPriceE18(quote.reservesAfter) ?? 0n)
  // The side that the user left open.
  const openSide = () =>
    'amountIn' in input
      ? { amount_out: formatAmount({ asset: bought, units: quote.amountOut }) }
      : { amount_in: formatAmount({ asset: sold, units: quote.amountIn }) }
  if (now > input.deadline) throw refusal('price_moved', { reason: 'deadline_passed', ...openSide() })
  if (isBeyondLimit(quote, input)) throw refusal('price_moved', openSide())
  if (state.balance(userAccount(input.userId, 'available'), sold) < quote.amountIn)
    throw refusal(sold === 'RT' ? 'rt_balance_not_enough' : 'balance_not_enough')
}

function planSwap(
  rules: SwapRules,
  { userId, parentId, pool, inverse, marketE18 }: SwapInput,
  found: { state: State; context: Context; reserves: PoolReserves; quote: SwapQuote },
): Plan<SwapResponse> {
  const { state, context, reserves, quote } = found
  const [sold, bought] = sidesOf(pool, inverse)
  const orderId = swapOrderId(pool.id, context.now, context.id('swap'))
  const inviterId = parentId !== null && isActivated(state, parentId) ? parentId : undefined
  const revenue = splitRevenue(quote.revenue, rules.revenueShares.in(state, context.now))
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
    rows: [
      write(swapOrders, order),
      ...candlesAfter(state, order, { reserves, quote }),
      addFee(state, feeOf(order, { sold, bought, quote, rewards: revenue.rewards, marketE18 })),
    ],
    response: {
      transaction_id: orderId,
      status: 'completed',
      amount_in: formatAmount({ asset: sold, units: quote.amountIn }),
      amount_out: formatAmount({ asset: bought, units: quote.amountOut }),
      fee: formatAmount({ asset: sold, units: quote.fee }),
    },
  }
}

/** The fee as the trader's boxes count it. A pool without USDT makes no power. */
function feeOf(
  { user_id: userId, created_at: at }: { readonly user_id: string; readonly created_at: Date },
  swap: {
    readonly sold: AssetId
    readonly bought: AssetId
    readonly quote: SwapQuote
    readonly rewards: bigint
    readonly marketE18: bigint | undefined
  },
) {
  const { amountIn, amountOut, revenue } = swap.quote
  const usdt = swap.sold === 'USDT' ? amountIn : swap.bought === 'USDT' ? amountOut : 0n
  return {
    userId,
    at,
    revenue: feeInUsdt({ revenue, sold: amountIn, usdt, marketE18: swap.sold === 'USDT' ? undefined : swap.marketE18 }),
    rewards: { asset: swap.sold, units: swap.rewards },
  }
}

function isBeyondLimit(quote: SwapQuote, limit: SwapAmounts): boolean {
  return 'amountIn' in limit ? quote.amountOut < limit.minAmountOut : quote.amountIn > limit.maxAmountIn
}

/** The payload that an idempotency key is bound to. For exact sales it must never change, or stored responses stop matching. */
function payloadOf(amounts: SwapAmounts): Record<string, string> {
  return 'amountIn' in amounts
    ? { amountIn: amounts.amountIn.toString(), minAmountOut: amounts.minAmountOut.toString() }
    : { amountOut: amounts.amountOut.toString(), maxAmountIn: amounts.maxAmountIn.toString() }
}

function reservesOf(state: State, pool: PoolDefinition): PoolReserves {
  const account = poolAccount(pool.id)
  return { base: state.balance(account, pool.base), quote: state.balance(account, pool.quote) }
}
