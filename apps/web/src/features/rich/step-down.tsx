import { Button } from '@clearwell/ui/components/button.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { m } from '../../generated/messages.ts'
import { useRichProgram } from './rich.queries.ts'

/** Offers to step down: the deposit comes back after the notice. Needs no activation: it is the user's own RT. */
export function StepDown({ onStart }: { onStart: (days: number) => void }) {
  const days = useRichProgram().data?.notice_days
  // The table of the terms above shows that they load, or why they do not.
  if (days === undefined) return null
  return (
    <Section title={m.rich_step_down()} className="flex flex-col">
      <p className="pb-3 text-muted">{m.rich_step_down_text({ days })}</p>
      <Button look="quiet" onClick={() => onStart(days)}>
        {m.rich_step_down()}
      </Button>
    </Section>
  )
}
