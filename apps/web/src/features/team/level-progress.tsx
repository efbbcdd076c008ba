import { cx } from '@clearwell/ui/browser/cx.ts'
import { Section } from '@clearwell/ui/components/card.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { m } from '../../generated/messages.ts'
import type { TeamOverview } from './team.queries.ts'

/** The membership level, and how many leads it still needs for the next one. */
export function LevelProgress({ overview: { level, next_level_progress: next } }: { overview: TeamOverview }) {
  return (
    <Section title={m.team_level({ level })}>
      <div className="flex flex-col gap-3">
        {next && <Steps done={Math.min(next.leads, next.leads_needed)} all={next.leads_needed} />}
        <p>{next ? progressText(next) : m.referral_top_level()}</p>
        <p className="text-secondary text-muted">{m.referral_level_effect()}</p>
      </div>
    </Section>
  )
}

/** The rule of the next level and the user's part of it. From the second level on, leads need a level themselves. */
function progressText(next: NonNullable<TeamOverview['next_level_progress']>): string {
  const values = { next: next.level, n: next.leads, m: next.leads_needed }
  return next.lead_level === 0
    ? m.referral_progress_activated(values)
    : m.referral_progress_level({ ...values, level: next.lead_level })
}

/** One place for each lead that is needed. The sentence below says the same. */
function Steps({ done, all }: { done: number; all: number }) {
  return (
    <ol aria-hidden="true" className="flex gap-2">
      {Array.from({ length: all }, (_, place) => (
        <li
          key={place}
          className={cx(
            'flex h-11 flex-1 items-center justify-center rounded-control',
            place < done ? 'bg-accent/12 text-accent light:bg-accent/4' : 'bg-input text-muted',
          )}
        >
          <Icon name={place < done ? 'check' : 'users'} className="size-4" />
        </li>
      ))}
    </ol>
  )
}
