import { ApiError, isFinalRefusal } from '../../api/api-error.ts'
import { Problem } from '../../components/stage-parts.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { errorText } from '../../i18n/error-text.ts'
import { formatDateTime } from '../../i18n/format-date.ts'
import { sentences } from '../../i18n/sentences.ts'

/** Why a click or a claim failed, whether funds moved, and what to do next. */
export function BoxProblem({ error }: { error: Error | null }) {
  if (!error) return null
  const opensAt = opensAtOf(error)
  const text = opensAt
    ? sentences(m.box_not_open(), m.box_opens_at({ time: formatDateTime(opensAt) }))
    : errorText(error)
  return <Problem text={text} detail={isFinalRefusal(error) ? m.ui_no_money_moved() : m.box_press_again()} />
}

function opensAtOf(error: Error): string | undefined {
  if (!(error instanceof ApiError) || error.codeName !== 'not_open') return undefined
  const opensAt = (error.data as { opens_at?: unknown } | null)?.opens_at
  return typeof opensAt === 'string' ? opensAt : undefined
}
