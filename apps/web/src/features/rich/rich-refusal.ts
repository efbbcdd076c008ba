import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { refusalData } from '../../api/refusal-data.ts'
import { m } from '../../generated/messages.ts'
import { rtWords } from './rich-words.ts'

/** Why the server rejected a command, with the figures that it names. */
export function refusedText(error: Error): string {
  const max = refusalData(error, 'amount_out_of_range')?.max
  if (max !== undefined) return m.rich_over_room({ max: rtWords(max) })
  const missing = refusalData(error, 'rt_deposit_missing')?.missing
  if (missing !== undefined) return m.rich_refused_deposit_missing({ amount: rtWords(missing) })
  const closed = refusalData(error, 'not_open')
  if (closed?.reason === 'one_star_a_day' && closed.opens_at !== undefined)
    return m.rich_refused_one_star({ time: formatDateTime(closed.opens_at) })
  return errorText(error)
}
