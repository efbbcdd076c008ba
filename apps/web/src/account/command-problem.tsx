import { Problem } from '@clearwell/ui/components/stage-parts.tsx'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { UnknownOutcomeError } from '../api/api-error.ts'
import { m } from '../generated/messages.ts'

/** Why a command failed, whether funds moved, and what to do next. A feature explains its own refusals. */
export function CommandProblem({
  error,
  explain = errorText,
}: {
  error: Error | null
  explain?: (error: Error) => string
}) {
  if (!error) return null
  return (
    <Problem
      text={explain(error)}
      detail={error instanceof UnknownOutcomeError ? m.account_outcome_unknown() : m.ui_no_money_moved()}
    />
  )
}
