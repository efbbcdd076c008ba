import { ApiError } from '../../api/api-error.ts'
import { m } from '../../generated/paraglide/messages.js'
import { errorText } from '../../i18n/error-text.ts'
import { sentences } from '../../i18n/sentences.ts'

/** Whether the outcome of a command that failed so is certain: it was refused, and no money moved. */
export function isDefinite(error: unknown): error is ApiError {
  return error instanceof ApiError && !error.isTransient && error.codeName !== 'sign_in_again'
}

/**
 * Why a swap was refused, in the words of the server and what it said besides. A pool that is not suspended refuses what
 * would take its price too far.
 */
export function refusalText(error: ApiError, { suspended }: { suspended: boolean }): string {
  if (error.codeName !== 'trading_suspended') return errorText(error)
  const { reason } = (error.data ?? {}) as { reason?: unknown }
  if (reason === 'price_deviation' && !suspended) return m.swap_too_far()
  return sentences(errorText(error), suspensionText(reason))
}

/** Why a swap was refused whose answer was lost: then only the name of the refusal is left. */
export function refusalNameText(name: string | undefined): string {
  switch (name) {
    case 'balance_not_enough':
      return m.swap_balance_not_enough()
    case 'rt_balance_not_enough':
      return m.swap_rt_balance_not_enough()
    case 'not_activated':
      return m.swap_not_activated()
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

/** Why a pool takes no swaps. */
export function suspensionText(reason: unknown): string {
  switch (reason) {
    case 'operator':
      return m.swap_suspended_operator()
    case 'price_deviation':
      return m.swap_suspended_price()
    case 'insolvent':
      return m.swap_suspended_insolvent()
    default:
      return m.swap_suspended_text()
  }
}

export function isDeadlinePassed(refusal: ApiError | undefined): boolean {
  return (refusal?.data as { reason?: unknown } | null | undefined)?.reason === 'deadline_passed'
}
