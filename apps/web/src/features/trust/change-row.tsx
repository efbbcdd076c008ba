import type { ResponseOf } from '@clearwell/api/routes'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { formatHongKongTime } from '@clearwell/ui/i18n/format-date.ts'
import { currentLocale } from '@clearwell/ui/i18n/locale.ts'
import { m } from '../../generated/messages.ts'

export type RuleChange = ResponseOf<'ruleChanges'>['items'][number]
type Part = RuleChange['parts'][number]

/** A change of a rule: what it changes, and from which time on. */
export function ChangeRow({ change, now }: { change: RuleChange; now: string }) {
  const { title, rule, parts, announced_at: announcedAt, starts_at: startsAt, withdrawn_at: withdrawnAt } = change
  const isAhead = startsAt > now
  const date = formatHongKongTime(startsAt)
  return (
    <article className="flex flex-col gap-1 py-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2>{title[currentLocale()]}</h2>
        {withdrawnAt ? (
          <Badge tone="done">{m.trust_change_badge_withdrawn()}</Badge>
        ) : (
          isAhead && <Badge tone="pending">{m.trust_change_badge_announced()}</Badge>
        )}
      </div>
      {rule === 'lending' && <p className="text-body">{m.trust_change_lending()}</p>}
      <dl className="flex flex-col gap-1">
        {parts.map((part) => (
          <div key={part.title.en} className="flex flex-wrap items-baseline justify-between gap-x-3">
            <dt className="text-muted">{part.title[currentLocale()]}</dt>
            <dd className="figures">
              <PartValue unit={part.unit} value={part.before} /> → <PartValue unit={part.unit} value={part.after} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="figures text-label text-muted">
        {withdrawnAt
          ? m.trust_change_withdrawn({ date: formatHongKongTime(withdrawnAt) })
          : isAhead
            ? m.trust_change_starts({ date })
            : m.trust_change_started({ date })}
      </p>
      <p className="figures text-label text-muted">
        {m.trust_change_announced({ date: formatHongKongTime(announcedAt) })}
      </p>
    </article>
  )
}

function PartValue({ unit, value }: { unit: Part['unit']; value: string }) {
  if (unit === 'fraction') return formatPercent(value)
  if (unit === 'plain') return value
  if (unit === 'opening') return value === 'always' ? m.trust_change_always() : value
  return <AmountText amount={value} asset={unit} />
}
