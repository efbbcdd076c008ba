import type { ReasonOf } from '@clearwell/api/codes'
import type { RichConflict } from '@clearwell/api/refusal-reasons'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { type ByReason, refusalData } from '../../api/refusal-data.ts'
import { m } from '../../generated/messages.ts'
import { rtWords } from './rich-words.ts'

/** Reasons that the server gives with a conflict, as sentences. */
const REASONS: ByReason<RichConflict, ReasonOf<'conflict'>> = {
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

/** Why the server rejected a command. */
export function refusedText(error: Error): string {
  const max = refusalData(error, 'amount_out_of_range')?.max
  if (max !== undefined) return m.rich_over_room({ max: rtWords(max) })
  const missing = refusalData(error, 'rt_deposit_missing')?.missing
  if (missing !== undefined) return m.rich_refused_deposit_missing({ amount: rtWords(missing) })
  const closed = refusalData(error, 'not_open')
  if (closed?.reason === 'one_star_a_day' && closed.opens_at !== undefined)
    return m.rich_refused_one_star({ time: formatDateTime(closed.opens_at) })
  const reason = refusalData(error, 'conflict')?.reason
  return (reason && REASONS[reason]?.()) ?? errorText(error)
}
