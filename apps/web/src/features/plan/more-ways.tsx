import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link, useNavigate } from '@tanstack/react-router'
import { useAccount } from '../../account/use-account.ts'
import { m } from '../../generated/messages.ts'
import type { Slots } from '../../manifest/slots.ts'
import { usePlans } from './plan.queries.ts'
import { PlanRows } from './plan-rows.tsx'

/** The plans that the swap screen shows; the others are on their own screen. */
const SHOWN_PLANS = 3

/** On the swap screen: plans the swap in the form for later, and shows the plans in progress. */
export default function MoreWays({ symbol, sell, amount }: Slots['moreWaysToSwap']) {
  const { signedIn } = useAccount()
  const search = { pair: symbol, sell, ...(amount === undefined ? {} : { amount }) }
  return (
    <Section
      title={m.plan_title()}
      action={
        signedIn && (
          <Link
            to="/{-$locale}/swap/plans"
            className="-my-2 inline-flex min-h-11 min-w-11 items-center justify-end gap-1 text-label text-accent"
          >
            {m.plan_all()}
            <Icon name="chevron-right" className="size-4" />
          </Link>
        )
      }
    >
      <div className="grid grid-cols-2 gap-2">
        <Link to="/{-$locale}/swap/plans/limit" search={search} className={buttonClass('quiet', 'small')}>
          <Icon name="target" />
          {m.plan_limit()}
        </Link>
        <Link to="/{-$locale}/swap/plans/schedule" search={search} className={buttonClass('quiet', 'small')}>
          <Icon name="calendar-clock" />
          {m.plan_schedule()}
        </Link>
      </div>
      {signedIn && <ActivePlans />}
    </Section>
  )
}

/** The active plans, or nothing: a visitor of the swap screen came to swap now. */
function ActivePlans() {
  const plans = usePlans('active').data?.slice(0, SHOWN_PLANS) ?? []
  const navigate = useNavigate()
  if (plans.length === 0) return null
  return (
    <div className="mt-2">
      <PlanRows plans={plans} onOpen={(plan) => void navigate({ to: '/{-$locale}/swap/plans', search: { plan } })} />
    </div>
  )
}
