import { Card } from '@clearwell/ui/components/card.tsx'
import { RollingNumber } from '@clearwell/ui/components/rolling-number.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { m } from '../../generated/messages.ts'
import { countText } from './member-face.tsx'
import type { TeamOverview } from './team.queries.ts'

/** Direct leads and the whole team: how many there are, and how many of them are activated. */
export function TeamCounts({ overview }: { overview: TeamOverview }) {
  const { direct, direct_activated: directActivated, total, total_activated: totalActivated } = overview
  return (
    <Card className="grid grid-cols-2 gap-6">
      <Count label={m.team_direct()} total={direct} activated={directActivated} />
      <Count label={m.team_whole()} total={total} activated={totalActivated} />
    </Card>
  )
}

function Count({ label, total, activated }: { label: string; total: number; activated: number }) {
  return (
    <section aria-label={label} className="flex min-w-0 flex-col">
      <h2 className="text-secondary text-muted">{label}</h2>
      <dl className="flex flex-col">
        <div>
          <dt className="sr-only">{m.team_total()}</dt>
          <dd className="text-amount">
            <RollingNumber text={countText(total)} />
          </dd>
          <Share part={activated} of={total} />
        </div>
        <div className="flex flex-wrap justify-between gap-x-2 text-secondary">
          <dt className="flex items-center gap-1 text-muted">
            <Icon name="circle-check" className="size-4 text-accent" />
            {m.team_activated()}
          </dt>
          <dd>
            <RollingNumber text={countText(activated)} />
          </dd>
        </div>
      </dl>
    </section>
  )
}

/** A part of a whole as a bar; its figures are beside it. */
function Share({ part, of }: { part: number; of: number }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 100 4" preserveAspectRatio="none" className="my-2 h-1 w-full rounded-full">
      <rect width="100" height="4" className="fill-line" />
      <rect width={of === 0 ? 0 : (100 * part) / of} height="4" className="fill-accent" />
    </svg>
  )
}
