import { useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Sheet, SheetFoot } from '@clearwell/ui/components/sheet.tsx'
import { SheetStage, Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { useState } from 'react'
import { m } from '../../generated/messages.ts'
import { usePlan, usePlanRuns } from './plan.queries.ts'
import { PLAN, RUNS } from './plan.samples.ts'
import { CancelPlan, PlanActions } from './plan-actions.tsx'
import { planFacts } from './plan-facts.tsx'
import { reasonText, skipReasonText } from './plan-reason.ts'
import type { Plan, PlanRun } from './plan-words.ts'
import { amountWords, runStatusOf, sidesOf, tradeText } from './plan-words.ts'

/** One plan in full, with its runs and the steps that its owner can take. */
export default function PlanSheet({
  planId,
  known,
  onClose,
}: {
  planId: string
  /** The plan, if the list has it. */
  known: Plan | undefined
  onClose: () => void
}) {
  const { plan, isMissing, error, refetch } = usePlan(planId, known)
  const [isCancelling, setCancelling] = useState(false)
  if (!plan)
    return (
      <Sheet title={m.plan_title()} onClose={onClose}>
        {error ? (
          <ErrorState error={error} onRetry={refetch} />
        ) : isMissing ? (
          <EmptyState icon="calendar-clock" title={m.plan_missing()} text={m.plan_missing_text()} />
        ) : (
          <Pending>
            <PlanDetails plan={PLAN} onCancel={() => {}} />
          </Pending>
        )}
      </Sheet>
    )
  return (
    <Sheet title={isCancelling ? m.plan_cancel_title() : tradeText(plan)} onClose={onClose}>
      <SheetStage name={isCancelling ? 'cancel' : 'plan'}>
        {isCancelling ? (
          <CancelPlan plan={plan} onClose={() => setCancelling(false)} />
        ) : (
          <PlanDetails plan={plan} onCancel={() => setCancelling(true)} />
        )}
      </SheetStage>
    </Sheet>
  )
}

function PlanDetails({ plan, onCancel }: { plan: Plan; onCancel: () => void }) {
  const reason = reasonText(plan)
  const isOpen = plan.status === 'active' || plan.status === 'paused'
  return (
    <>
      {reason && <Warning text={reason} />}
      <FactList facts={planFacts(plan)} />
      <Runs plan={plan} />
      {isOpen && (
        <SheetFoot>
          <PlanActions plan={plan} onCancel={onCancel} />
        </SheetFoot>
      )}
    </>
  )
}

/** The runs so far, page by page. */
function Runs({ plan }: { plan: Plan }) {
  const runs = usePlanRuns(plan.plan_id)
  return (
    <Section title={m.plan_runs()}>
      {runs.data ? (
        runs.data.length === 0 ? (
          <p className="text-muted">{m.plan_runs_empty()}</p>
        ) : (
          <>
            <RunRows plan={plan} runs={runs.data} />
            <ListEnd {...runs} />
          </>
        )
      ) : runs.isError ? (
        <ErrorState error={runs.error} onRetry={runs.refetch} />
      ) : (
        <Pending>
          <RunRows plan={plan} runs={RUNS} />
        </Pending>
      )}
    </Section>
  )
}

function RunRows({ plan, runs }: { plan: Plan; runs: readonly PlanRun[] }) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {runs.map((run) => (
        <li key={run.run_at}>
          <RunRow plan={plan} run={run} />
        </li>
      ))}
    </ul>
  )
}

function RunRow({ plan, run }: { plan: Plan; run: PlanRun }) {
  const { sold, bought } = sidesOf(plan)
  const { text, tone } = runStatusOf(run.status)
  const { hide } = useHiddenAmounts()
  return (
    <div className="flex min-h-16 flex-col justify-center py-2">
      <span className="figures flex flex-wrap items-baseline justify-between gap-x-3">
        {formatDateTime(run.run_at)}
        <Badge tone={tone}>{text}</Badge>
      </span>
      {run.status === 'made' ? (
        <span className="figures flex flex-wrap justify-between gap-x-3 text-secondary text-muted">
          <span>{hide(`−${amountWords(run.amount_in, sold)}`)}</span>
          <span>{hide(`+${amountWords(run.amount_out, bought)}`)}</span>
        </span>
      ) : (
        <span className="text-secondary text-muted">{run.reason && skipReasonText(run.reason)}</span>
      )}
    </div>
  )
}
