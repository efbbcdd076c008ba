import { useScrolledIntoView } from '@clearwell/ui/browser/in-view.ts'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import type { ReactNode } from 'react'
import { UnknownOutcomeError } from '../../api/api-error.ts'
import { refusalData } from '../../api/refusal-data.ts'
import { m } from '../../generated/messages.ts'

/** Why an activation failed, whether funds moved, and what to do next. */
export function ActivationProblem({ error, action }: { error: Error; action?: ReactNode }) {
  const shown = useScrolledIntoView<HTMLDivElement>()
  const opensAt = refusalData(error, 'not_open')?.opens_at
  return (
    <div ref={shown} role="alert" className="flex flex-col gap-3 rounded-control border border-warn/50 p-3">
      <p className="flex gap-2">
        <Icon name="circle-alert" className="text-warn" />
        <span>
          {errorText(error)}
          {opensAt && <span className="block">{m.activation_opens_at({ time: formatDateTime(opensAt) })}</span>}
          <span className="block text-muted">
            {error instanceof UnknownOutcomeError ? m.account_outcome_unknown() : m.ui_no_money_moved()}
          </span>
        </span>
      </p>
      {action}
    </div>
  )
}
