import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { CommandProblem } from '../../account/command-problem.tsx'
import { refusalData } from '../../api/refusal-data.ts'
import { m } from '../../generated/messages.ts'

/** Why a click or a claim failed, whether funds moved, and what to do next. */
export function BoxProblem({ error }: { error: Error | null }) {
  return <CommandProblem error={error} explain={explain} />
}

/** The server's refusal of a click or a claim in a sentence. */
export function explain(error: Error): string {
  const opensAt = refusalData(error, 'not_open')?.opens_at
  if (opensAt) return sentences(m.box_not_open(), m.box_opens_at({ time: formatDateTime(opensAt) }))
  return errorText(error)
}
