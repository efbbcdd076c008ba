import type { PLAN_SKIP_REASONS } from '@clearwell/api/plan.routes'
import { Refusal } from '@clearwell/ledger/refusal'

export type SkipReason = (typeof PLAN_SKIP_REASONS)[number]

/** Turns the refusal of a swap into the reason why a run was not made. Anything else is a bug, and is thrown again. */
export function skipReasonOf(error: unknown): SkipReason {
  if (!(error instanceof Refusal)) throw error
  const { refusal, data } = error
  switch (refusal) {
    case 'balance_not_enough':
    case 'rt_balance_not_enough':
      return 'balance'
    case 'trading_suspended':
      return data.reason === 'price_deviation' ? 'price_deviation' : 'suspended'
    // The operator took the pool out of the configuration.
    case 'not_found':
      return 'suspended'
    case 'not_activated':
      return 'not_activated'
    // The pool gives less than the least output, or nothing at all.
    case 'price_moved':
    case 'amount_out_of_range':
      return 'slippage'
    default:
      throw error
  }
}
