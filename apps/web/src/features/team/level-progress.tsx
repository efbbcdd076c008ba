import { cx } from '@clearwell/ui/browser/cx.ts'
import { Section } from '@clearwell/ui/components/card.tsx'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { m } from '../../generated/messages.ts'
import type { TeamOverview } from './team.queries.ts'

/** How many leads upgrade a membership (specification §9). */
const LEADS_FOR_A_LEVEL = 5

/** The membership level, and how many leads it still needs for the next one. */
export function LevelProgress({ overview: { level, next_level_progress: next } }: { overview: TeamOverview }) {
  return (
    <Section
      title={m.team_level({ level })}
      action={next && <span className="text-secondary text-muted">{m.referral_next_level({ level: next.level })}</span>}
    >
      <div className="flex flex-col gap-3">
        {next ? (
          <>
            <Steps done={Math.min(next.leads, next.leads_needed)} all={next.leads_needed} />
            <p>
              {next.lead_level === 0
                ? m.referral_progress_activated({ n: next.leads, m: next.leads_needed })
                : m.referral_progress_level({ n: next.leads, m: next.leads_needed, level: next.lead_level })}
            </p>
          </>
        ) : (
          <p>{m.referral_top_level()}</p>
        )}
        <p className="text-secondary text-muted">
          {/* From the second level on, leads need a level themselves, as the sentence above says. */}
          {next && next.lead_level > 0
            ? m.referral_level_effect()
            : sentences(m.referral_rule({ n: next?.leads_needed ?? LEADS_FOR_A_LEVEL }), m.referral_level_effect())}
        </p>
      </div>
    </Section>
  )
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
