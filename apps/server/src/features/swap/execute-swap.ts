import { type Command, type Plan, type State, write } from '@clearwell/ledger/command'
import { formatAmount } from '@clearwell/money/amount'
import { type RevenueParts, splitRevenue } from '@clearwell/rules/revenue-split'
import { midPriceE18, type PoolReserves, quoteExactIn, type SwapFees } from '@clearwell/rules/swap'
import { poolAccount, REWARDS, TREASURY, userAccount } from '../../ledger/accounts.ts'
import { refuseWhenStopped } from '../../ledger/breaker.ts'
import { members } from '../../ledger/members.ts'
import { refusal } from '../../ledger/refuse.ts'
import type { PoolDefinition } from './open-pool.ts'
import { candlesAfter } from './swap.candles.ts'
import { swapEntries } from './swap.postings.ts'
import { swapOrders, swapPools } from './swap.tables.ts'

export interface SwapRules {
  readonly fees: SwapFees
  readonly revenueShares: RevenueParts
}

export interface SwapInput {
  readonly userId: string
  /** The inviter, if there is one. */
  readonly parentId: string | null
  readonly pool: PoolDefinition
  /** Sells the quote asset instead of the base asset. */
  readonly inverse: boolean
  readonly amountIn: bigint
  readonly minAmountOut: bigint
  readonly deadline: Date
  readonly key: string | undefined
}

export interface SwapAnswer {
  readonly transaction_id: string
  readonly status: 'completed'
  readonly amount_in: string
  readonly amount_out: string
  readonly fee: string
}

/** Swaps at the pool's state in order of arrival, at `minAmountOut` or better, or not at all. */
export function executeSwap(rules: SwapRules, input: SwapInput): Command<SwapAnswer> {
  const { userId, parentId, pool, inverse, amountIn, minAmountOut, deadline, key } = input
  const [sold, bought] = inverse ? [pool.quote, pool.base] : [pool.base, pool.quote]
  const trader = userAccount(userId, 'available')
  const account = poolAccount(pool.id)
  return {
    kind: 'swap',
    owner: userId,
    key,
    payload: {
      pool: pool.id,
      inverse,
      amountIn: amountIn.toString(),
      minAmountOut: minAmountOut.toString(),
      deadline: deadline.toISOString(),
    },
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
      const direction = inverse ? 'quote_to_base' : 'base_to_quote'
      const quote = quoteExactIn({ reserves, direction, amountIn, fees: rules.fees })
      if (!quote) throw refusal('amount_out_of_range', { reason: 'too small to buy anything' })
      const amountOut = formatAmount({ asset: bought, units: quote.amountOut })
      if (context.now > deadline) throw refusal('price_moved', { reason: 'deadline_passed', amount_out: amountOut })
      if (quote.amountOut < minAmountOut) throw refusal('price_moved', { amount_out: amountOut })
      if (state.balance(trader, sold) < amountIn) {
        throw refusal(sold === 'RT' ? 'rt_balance_not_enough' : 'balance_not_enough')
      }

      const orderId = context.id('swap')
      const inviterId = parentId !== null && state.row(members, parentId)?.activated_at ? parentId : undefined
      const revenue = splitRevenue(quote.revenue, rules.revenueShares)
      const [volumeBase, volumeQuote] = inverse ? [quote.amountOut, amountIn] : [amountIn, quote.amountOut]
      const priceE18 = midPriceE18(quote.reservesAfter)
      const candles =
        priceE18 === undefined || priceE18 === 0n
          ? []
          : candlesAfter(state, pool.id, context.now, { priceE18, volumeBase, volumeQuote })
      const order = {
        id: orderId,
        user_id: userId,
        pool_id: pool.id,
        inverse,
        amount_in: amountIn,
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
          amount_in: formatAmount({ asset: sold, units: amountIn }),
          amount_out: amountOut,
          fee: formatAmount({ asset: sold, units: quote.fee }),
        },
      }
    },
  }
}

function reservesOf(state: State, pool: PoolDefinition): PoolReserves {
  const account = poolAccount(pool.id)
  return { base: state.balance(account, pool.base), quote: state.balance(account, pool.quote) }
}
