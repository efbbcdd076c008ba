import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Card, Section } from '@clearwell/ui/components/card.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useAccount } from '../../../account/use-account.ts'
import { m } from '../../../generated/messages.ts'
import { type Parameters, useParameters } from './book.queries.ts'
import { PARAMETERS } from './book.samples.ts'
import { changesBetween, parameterTexts } from './parameter-changes.ts'

/** The parameters in force, and each announced change with its time. Open loans keep the terms of their opening. */
export function ParameterPreview() {
  const parameters = useParameters()
  const { data } = parameters
  return (
    <Section
      title={m.book_parameters()}
      action={parameters.isError && data && <Badge tone="warning">{m.ui_stale()}</Badge>}
      className="flex flex-col gap-3"
    >
      <p className="-mt-2 text-secondary text-muted">{m.book_parameters_text()}</p>
      <Loaded read={parameters} sample={PARAMETERS}>
        {({ now, announced }) => (
          <>
            {announced.length === 0 && <p className="text-secondary text-muted">{m.book_no_change()}</p>}
            {announced.map((next, index) => (
              <Change key={next.effective_at} before={announced[index - 1] ?? now} next={next} />
            ))}
            <InForce now={now} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

/** The parameters that apply now. The browser's own disclosure: keys and screen readers know it. */
function InForce({ now }: { now: Parameters }) {
  return (
    <details className="group border-t border-line">
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-2 [&::-webkit-details-marker]:hidden">
        {m.book_now()}
        <Icon name="chevron-right" className="rotate-90 text-muted transition-transform group-open:-rotate-90" />
      </summary>
      <FactList facts={parameterTexts(now)} />
    </details>
  )
}

/** An announced change: when and what. */
function Change({ before, next }: { before: Parameters; next: Parameters }) {
  const { signedIn } = useAccount()
  return (
    <Card title={m.book_change_at({ time: formatDateTime(next.effective_at) })}>
      <p className="-mt-2 text-label text-muted">
        {m.book_change_announced({ time: formatDateTime(next.announced_at) })}
      </p>
      <FactList
        facts={changesBetween(before, next).map(({ label, before: from, after }) => ({
          label,
          value: from === undefined ? after : m.book_from_to({ before: from, after }),
        }))}
      />
      {signedIn && <p className="border-t border-line pt-3 text-secondary text-muted">{m.book_open_keep()}</p>}
    </Card>
  )
}
