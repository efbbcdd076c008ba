import { Card } from '@clearwell/ui/components/card.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { m } from '../../generated/messages.ts'

const SENTENCES = [m.exit_what_right, m.exit_what_base, m.exit_what_stays, m.exit_what_costs]

const LIMITS = [
  m.exit_limit_pause,
  m.exit_limit_short,
  m.exit_limit_path,
  m.exit_limit_repaid,
  m.exit_limit_false,
  m.exit_limit_successor,
]

/** Explains an exit in four sentences. */
export function ExitIntro() {
  return (
    <ul className="flex flex-col gap-3">
      {SENTENCES.map((sentence) => (
        <li key={sentence()} className="flex gap-3">
          <Icon name="info" className="mt-0.5 size-5 text-accent" />
          <span className="min-w-0 flex-1">{sentence()}</span>
        </li>
      ))}
    </ul>
  )
}

/** Lists the risks that an exit does not remove. */
export function ExitLimits() {
  return (
    <Card title={m.exit_limits()}>
      <ul className="flex list-disc flex-col gap-2 ps-4 text-secondary text-muted">
        {LIMITS.map((limit) => (
          <li key={limit()}>{limit()}</li>
        ))}
      </ul>
    </Card>
  )
}
