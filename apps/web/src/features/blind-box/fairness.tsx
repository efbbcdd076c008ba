import { ProofSeal } from '@clearwell/ui/components/brand-mark.tsx'
import { Button, buttonClass } from '@clearwell/ui/components/button.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { HashText } from '@clearwell/ui/components/hash-text.tsx'
import { formatList } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime, formatDay } from '@clearwell/ui/i18n/format-date.ts'
import { Link } from '@tanstack/react-router'
import { m } from '../../generated/messages.ts'
import { type Box, type BoxRules, useLatestDays } from './blind-box.queries.ts'

/** How today's draw can be checked, with the commitment that is already published, and the user's newest draw to verify. */
export function Fairness({
  rules,
  latest,
  onOpen,
}: {
  rules: BoxRules
  latest: Box | null | undefined
  onOpen: (box: Box) => void
}) {
  const { commitment, committed_at: time, last_divided: last } = rules
  const { data: days } = useLatestDays()
  const voidDays = days?.items.filter((each) => each.void) ?? []
  return (
    <Section title={m.box_fair()} action={<ProofSeal className="size-8" />}>
      <p className="text-muted">{m.box_fair_text()}</p>
      <p className="text-muted">{m.box_fair_void({ hours: rules.formula.reveal_hours })}</p>
      <FactList
        facts={[
          {
            label: m.box_commitment(),
            value: commitment ? (
              <HashText hash={commitment} copyLabel={m.box_copy_commitment()} />
            ) : (
              m.box_commitment_none()
            ),
          },
          ...(time ? [{ label: m.box_committed_at(), value: formatDateTime(time) }] : []),
          { label: m.box_last_day(), value: last ? formatDay(last) : m.box_last_day_none() },
          {
            label: m.box_void_days(),
            value: voidDays.length > 0 ? formatList(voidDays.map(({ day }) => formatDay(day))) : m.box_void_days_none(),
          },
        ]}
      />
      <div className="mt-2 flex flex-col gap-2">
        {latest ? (
          <Button look="quiet" onClick={() => onOpen(latest)}>
            {m.box_fair_check()}
          </Button>
        ) : (
          // Before the first draw there is none to check.
          last && (
            <Link to="/{-$locale}/node/income" className={buttonClass('quiet')}>
              {m.box_fair_check()}
            </Link>
          )
        )}
        <Link
          to="/{-$locale}/white"
          search={{ section: 'box' }}
          className="inline-flex min-h-11 items-center justify-center text-accent"
        >
          {m.box_fair_rules()}
        </Link>
      </div>
    </Section>
  )
}
