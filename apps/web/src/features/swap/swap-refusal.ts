import type { PoolSuspension } from '@clearwell/api/refusal-reasons'
import type { AssetId } from '@clearwell/money/asset'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import type { ApiError } from '../../api/api-error.ts'
import { type ByReason, refusalData } from '../../api/refusal-data.ts'
import { m } from '../../generated/messages.ts'
import type { ExactSide, Pair, Quote } from './swap-terms.ts'

/** The reasons that prevent a swap: obstacles found by the form, and refusals by the server. */

/** Keeps the form from its confirmation. */
export type SwapObstacle =
  | 'suspended'
  | 'no_amount'
  | 'balance_not_enough'
  | 'rt_balance_not_enough'
  | 'exceeds_pool'
  | 'too_small'

export const OBSTACLE_TEXTS: Readonly<Record<SwapObstacle, () => string>> = {
  suspended: m.swap_suspended,
  no_amount: m.swap_enter_amount,
  balance_not_enough: m.swap_balance_not_enough,
  rt_balance_not_enough: m.swap_rt_balance_not_enough,
  exceeds_pool: m.swap_exceeds_pool,
  too_small: m.swap_too_small,
}

/** The first obstacle, if there is one. While `balance` is not known the server decides. */
export function obstacleOf(form: {
  readonly pair: Pair
  readonly sold: AssetId
  readonly exact: ExactSide
  /** The amount typed on either side. */
  readonly typed: bigint | undefined
  /** Absent where the pool cannot do it. */
  readonly quote: Quote | undefined
  readonly balance: bigint | undefined
  /** The part of the balance that the activation takes first. */
  readonly reserved?: bigint
}): SwapObstacle | undefined {
  const { pair, sold, exact, typed, quote, balance, reserved = 0n } = form
  if (pair.suspended) return 'suspended'
  if (typed === undefined || typed === 0n) return 'no_amount'
  // An exact sold amount is known without the pool.
  const amountIn = exact === 'in' ? typed : quote?.amountIn
  if (amountIn === undefined) return 'exceeds_pool'
  if (balance !== undefined && amountIn + reserved > balance)
    return sold === 'RT' ? 'rt_balance_not_enough' : 'balance_not_enough'
  return quote === undefined || quote.amountOut === 0n ? 'too_small' : undefined
}

/**
 * Explains the server's refusal of a swap: its own message, and for a suspension the reason. An open pool rejects swaps that
 * would move its price too far from the market.
 */
export function refusalText(error: ApiError): string {
  const suspended = refusalData(error, 'trading_suspended')
  if (!suspended) return errorText(error)
  if (suspended.reason === 'price_deviation') return m.swap_too_far()
  // Not the pool's own state: the text of the server says all of it.
  if (suspended.reason === 'no_header') return errorText(error)
  return sentences(errorText(error), suspensionText(suspended.reason))
}

/** Explains a refusal of which only the name is known, because the response was lost. */
export function refusalNameText(name: string | undefined): string {
  switch (name) {
    case 'balance_not_enough':
      return m.swap_balance_not_enough()
    case 'rt_balance_not_enough':
      return m.swap_rt_balance_not_enough()
    case 'not_activated':
      return m.account_not_activated()
    case 'trading_suspended':
      return m.swap_suspended()
    case 'price_moved':
      return m.swap_price_moved()
    case 'deadline_passed':
      return m.swap_too_late()
    case 'amount_out_of_range':
      return m.swap_out_of_range()
    default:
      return m.swap_refused()
  }
}

/** The suspensions of a pool. The last two are of an earlier version, which suspended by the price. */
const SUSPENSION_TEXTS: ByReason<PoolSuspension, string> = {
  operator: m.swap_suspended_operator,
  insolvent: m.swap_suspended_insolvent,
  price_deviation: m.swap_suspended_text,
  rule: m.swap_suspended_text,
}

/** Explains the suspension of a pool. A newer server may give a reason that this build does not know. */
export function suspensionText(reason: string | null | undefined): string {
  const text = reason && Object.hasOwn(SUSPENSION_TEXTS, reason) ? SUSPENSION_TEXTS[reason] : undefined
  return (text ?? m.swap_suspended_text)()
}

export function isDeadlinePassed(refusal: ApiError): boolean {
  return refusalData(refusal, 'price_moved')?.reason === 'deadline_passed'
}
