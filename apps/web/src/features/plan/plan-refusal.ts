import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { ApiError } from '../../api/api-error.ts'
import { refusalData } from '../../api/refusal-data.ts'
import { m } from '../../generated/messages.ts'
import { amountWords } from './plan-words.ts'

/**
 * Explains the server's refusal of a new plan, or of a change of one, and names the next step.
 *
 * @param sold the asset that amounts of the refusal are in.
 */
export function refusedText(error: Error, sold: string): string {
  switch (error instanceof ApiError ? error.codeName : undefined) {
    case 'amount_out_of_range':
      return rangeText(error, sold)
    case 'invalid_input':
      return m.plan_invalid()
    case 'too_many_open':
      return m.plan_too_many({ max: String(refusalData(error, 'too_many_open')?.max ?? '') })
    case 'not_found':
      return m.plan_not_found()
    case 'price_out_of_date':
      return m.plan_no_price()
    case 'account_is_leaving':
      return sentences(errorText(error), m.plan_leaving())
    case 'not_available':
      return unavailableText(error)
    default:
      return errorText(error)
  }
}

function rangeText(error: Error, sold: string): string {
  const { min, max } = refusalData(error, 'amount_out_of_range') ?? {}
  if (min) return m.plan_under_min({ min: amountWords(min, sold) })
  return max ? m.plan_over_max({ max: amountWords(max, sold) }) : m.plan_out_of_range()
}

function unavailableText(error: Error): string {
  switch (refusalData(error, 'not_available')?.reason) {
    case 'frozen':
      return errorText(error)
    case 'operator_account':
      return m.plan_operator_account()
    default:
      return sentences(errorText(error), m.plan_not_available())
  }
}
