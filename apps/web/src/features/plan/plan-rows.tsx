import { useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { TokenMark } from '../../components/token-mark.tsx'
import type { Plan } from './plan-words.ts'
import { nextText, sidesOf, statusOf, termsText, tradeText } from './plan-words.ts'

/** Plans in a list: trade and terms, with the status and the next run. */
export function PlanRows({ plans, onOpen }: { plans: readonly Plan[]; onOpen: (planId: string) => void }) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {plans.map((plan) => (
        <li key={plan.plan_id}>
          <PlanRow plan={plan} onClick={() => onOpen(plan.plan_id)} />
        </li>
      ))}
    </ul>
  )
}

function PlanRow({ plan, onClick }: { plan: Plan; onClick: () => void }) {
  const status = statusOf(plan.status)
  const next = nextText(plan)
  const { hide } = useHiddenAmounts()
  return (
    <button type="button" className="flex min-h-16 w-full items-center gap-3 py-3 text-start" onClick={onClick}>
      <TokenMark asset={sidesOf(plan).bought} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="figures [overflow-wrap:anywhere]">{hide(tradeText(plan))}</span>
          <Badge tone={status.tone}>{status.text}</Badge>
        </span>
        <span className="figures text-secondary text-muted">{termsText(plan)}</span>
        {next && <span className="figures text-secondary text-muted">{next}</span>}
      </span>
      <Icon name="chevron-right" className="text-muted" />
    </button>
  )
}
