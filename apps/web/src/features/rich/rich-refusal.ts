import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { ApiError } from '../../api/api-error.ts'
import { m } from '../../generated/messages.ts'
import { rtWords } from './rich-words.ts'

/** Reasons that the server gives with a conflict, as sentences. */
const REASONS: Readonly<Record<string, () => string>> = {
  uid_taken: m.rich_refused_uid_taken,
  already_linked: m.rich_refused_already_linked,
  nothing_to_collect: m.rich_refused_nothing_to_collect,
  request_open: m.rich_refused_request_open,
  highest_star: m.rich_progress_top,
  stepping_down: m.rich_refused_stepping_down,
  nothing_to_return: m.rich_refused_nothing_to_return,
  no_star: m.rich_refused_no_star,
  already_passed: m.rich_refused_already_passed,
  withdrawn: m.rich_refused_withdrawn,
}

/** Why the server rejected a command. A newer server may give reasons that this build does not know. */
export function refusedText(error: Error): string {
  if (!(error instanceof ApiError)) return errorText(error)
  const { reason, max, missing, opens_at } = (error.data ?? {}) as Readonly<Record<string, unknown>>
  if (error.codeName === 'amount_out_of_range' && typeof max === 'string')
    return m.rich_over_room({ max: rtWords(max) })
  if (error.codeName === 'rt_deposit_missing' && typeof missing === 'string')
    return m.rich_refused_deposit_missing({ amount: rtWords(missing) })
  if (reason === 'one_star_a_day' && typeof opens_at === 'string')
    return m.rich_refused_one_star({ time: formatDateTime(opens_at) })
  const text = typeof reason === 'string' && Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined
  return text?.() ?? errorText(error)
}
