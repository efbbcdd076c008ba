import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { m } from '../../generated/messages.ts'
import { usePlans } from './plan.queries.ts'
import { runText } from './plan-times.ts'
import type { Plan } from './plan-words.ts'

/** Above the activity: how many planned swaps are active, and the next run. Nothing without any. */
export default function SwapsToCome() {
  const plans = usePlans('active')
  const active = plans.data ?? []
  if (active.length === 0) return null
  const next = nextRun(active)
  return (
    <Link
      to="/{-$locale}/swap/plans"
      className="flex min-h-16 items-center gap-3 rounded-card bg-surface px-4 py-2 hover:text-accent"
    >
      <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-input text-muted light:bg-line">
        <Icon name="calendar-clock" />
      </span>
      <span className="flex min-w-0 flex-1 flex-col">
        <span>{countText(active.length, plans.hasNextPage)}</span>
        {next && <span className="figures text-secondary text-muted">{m.plan_next({ time: runText(next) })}</span>}
      </span>
      <Icon name="chevron-right" className="text-muted" />
    </Link>
  )
}

function countText(count: number, hasMore: boolean): string {
  return hasMore ? m.plan_active_more({ n: count }) : m.plan_active({ n: count })
}

/** The earliest hour in which one of the plans runs; a limit has none. */
function nextRun(plans: readonly Plan[]): string | undefined {
  return plans.flatMap(({ next_at }) => next_at ?? []).toSorted()[0]
}
