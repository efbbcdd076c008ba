import type { AssetId } from '@clearwell/money/asset'
import { m } from '../../generated/paraglide/messages.js'
import type { ExactSide, Pair, Quote } from './swap-terms.ts'

/** What stands between a form and its confirmation. */
export type SwapObstacle =
  | 'suspended'
  | 'no_amount'
  | 'balance_not_enough'
  | 'rt_balance_not_enough'
  | 'exceeds_pool'
  | 'too_small'

/** The first obstacle, if there is one. `balance` is absent while it is not known: then the server decides. */
export function obstacleOf(form: {
  readonly pair: Pair
  readonly sold: AssetId
  readonly exact: ExactSide
  /** What was typed on either side. */
  readonly typed: bigint | undefined
  /** Absent where the pool cannot do it. */
  readonly quote: Quote | undefined
  readonly balance: bigint | undefined
}): SwapObstacle | undefined {
  const { pair, sold, exact, typed, quote, balance } = form
  if (pair.suspended) return 'suspended'
  if (typed === undefined || typed === 0n) return 'no_amount'
  // What is sold is known without the pool.
  const amountIn = exact === 'in' ? typed : quote?.amountIn
  if (amountIn === undefined) return 'exceeds_pool'
  if (balance !== undefined && amountIn > balance) return sold === 'RT' ? 'rt_balance_not_enough' : 'balance_not_enough'
  return quote === undefined || quote.amountOut === 0n ? 'too_small' : undefined
}

export const OBSTACLE_TEXTS: Readonly<Record<SwapObstacle, () => string>> = {
  suspended: m.swap_suspended,
  no_amount: m.swap_enter_amount,
  balance_not_enough: m.swap_balance_not_enough,
  rt_balance_not_enough: m.swap_rt_balance_not_enough,
  exceeds_pool: m.swap_exceeds_pool,
  too_small: m.swap_too_small,
}
