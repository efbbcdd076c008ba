import { formatShortDay } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { m } from '../../generated/messages.ts'
import type { BoxRules } from './blind-box.queries.ts'

type Phase = BoxRules['closing'][number]['phase']

/** The next step of a day in each phase. */
const PHASES: Record<Phase, () => string> = {
  open: m.box_phase_open,
  closed: m.box_phase_closed,
  rooted: m.box_phase_rooted,
  mined: m.box_phase_mined,
  seeded: m.box_phase_seeded,
  drawn: m.box_phase_drawn,
  shared: m.box_phase_shared,
  divided: m.box_phase_shared,
}

/** Days that have ended and have no result yet, each with the step it waits for. */
export function ClosingDays({ closing }: Pick<BoxRules, 'closing'>) {
  if (closing.length === 0) return null
  return (
    <ul className="flex flex-col gap-2">
      {closing.map(({ day, phase }) => (
        <li key={day} className="flex gap-2 text-secondary text-muted">
          <Icon name="history" className="size-4" />
          <span className="min-w-0">{m.box_closing({ day: formatShortDay(day), step: PHASES[phase]() })}</span>
        </li>
      ))}
    </ul>
  )
}
