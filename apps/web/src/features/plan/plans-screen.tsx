import { Badge } from '@clearwell/ui/components/badge.tsx'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { explicitRead } from '@clearwell/ui/components/explicit-read.ts'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { lazySheet, usePreloaded } from '@clearwell/ui/components/lazy-part.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { InactiveNote } from '../../account/inactive-note.tsx'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { usePlans } from './plan.queries.ts'
import { PLANS } from './plan.samples.ts'
import { PlanRows } from './plan-rows.tsx'
import { readShownPlans, type ShownPlans } from './plan-search.ts'

const PlanSheet = lazySheet(() => import('./plan-sheet.tsx'))
const SHEETS = [PlanSheet]

/** The user's planned swaps, each with its status and its next run. */
export default function PlansScreen() {
  const { show, plan: openId } = useReadSearch(readShownPlans)
  const { signedIn } = useAccount()
  const plans = usePlans(show)
  const navigate = useNavigate()
  usePreloaded(SHEETS)
  const go = (search: ShownPlans) =>
    void navigate({ to: '/{-$locale}/swap/plans', search, replace: true, resetScroll: false })
  const part = show === undefined ? {} : { show }
  if (!signedIn)
    return (
      <Screen title={m.plan_title()}>
        <SignedOut icon="calendar-clock" title={m.plan_signed_out()} />
      </Screen>
    )
  return (
    <Screen title={m.plan_title()} aside={<Refresh plans={plans} />} action={<NewPlanLinks />}>
      <SegmentedControl
        label={m.plan_filter()}
        options={[
          { value: 'all', label: m.plan_filter_all() },
          { value: 'active', label: m.plan_status_active() },
          { value: 'paused', label: m.plan_status_paused() },
        ]}
        value={show ?? 'all'}
        onChange={(next) => go(next === 'all' ? {} : { show: next })}
      />
      <InactiveNote />
      <Plans plans={plans} show={show} onOpen={(plan_id) => go({ ...part, plan: plan_id })} />
      {openId !== undefined && (
        <PlanSheet
          key={openId}
          planId={openId}
          known={plans.data?.find(({ plan_id }) => plan_id === openId)}
          // Another address closes the sheet too, and is not to be replaced.
          onClose={() => isHere() && go(part)}
        />
      )}
    </Screen>
  )
}

function isHere(): boolean {
  return location.hash.split('?', 1)[0]?.endsWith('/swap/plans') === true
}

function Refresh({ plans }: { plans: ReturnType<typeof usePlans> }) {
  return (
    <span className="flex items-center gap-1">
      {plans.isError && plans.data && <Badge tone="warning">{m.ui_stale()}</Badge>}
      <IconButton
        icon="refresh-cw"
        label={m.app_reload()}
        aria-busy={plans.isRefetching || undefined}
        onClick={() => explicitRead(plans.refetch)}
      />
    </span>
  )
}

/** The two kinds of a new plan. */
function NewPlanLinks() {
  return (
    <div className="grid grid-cols-2 gap-2">
      <Link to="/{-$locale}/swap/plans/limit" className={buttonClass()}>
        {m.plan_new_limit()}
      </Link>
      <Link to="/{-$locale}/swap/plans/schedule" className={buttonClass('quiet')}>
        {m.plan_new_schedule()}
      </Link>
    </div>
  )
}

function Plans({
  plans,
  show,
  onOpen,
}: {
  plans: ReturnType<typeof usePlans>
  show: ShownPlans['show']
  onOpen: (planId: string) => void
}): ReactNode {
  if (!plans.data)
    return plans.isError ? (
      <ErrorState error={plans.error} onRetry={plans.refetch} />
    ) : (
      <Pending>
        <PlanRows plans={PLANS} onOpen={onOpen} />
      </Pending>
    )
  if (plans.data.length === 0)
    return (
      <EmptyState
        icon="calendar-clock"
        title={{ active: m.plan_empty_active, paused: m.plan_empty_paused, all: m.plan_empty }[show ?? 'all']()}
        text={m.plan_empty_text()}
      />
    )
  return (
    <>
      <PlanRows plans={plans.data} onOpen={onOpen} />
      <ListEnd {...plans} />
    </>
  )
}
