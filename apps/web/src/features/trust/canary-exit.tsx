import type { ResponseOf } from '@clearwell/api/routes'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Badge, type BadgeTone } from '@clearwell/ui/components/badge.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { HashText } from '@clearwell/ui/components/hash-text.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import type { Config } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'

export type CanaryItem = ResponseOf<'proofCanary'>['items'][number]

const STATES: Readonly<Record<CanaryItem['state'], { tone: BadgeTone; label: () => string }>> = {
  waiting: { tone: 'pending', label: m.trust_canary_waiting },
  ready: { tone: 'pending', label: m.trust_canary_ready },
  overdue: { tone: 'warning', label: m.trust_canary_overdue },
  paid: { tone: 'done', label: m.trust_canary_paid },
  unpaid: { tone: 'warning', label: m.trust_canary_unpaid },
}

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]

/** One exit: when it was requested and paid, how long that took, and what the vault paid. */
export function CanaryExit({ exit, config }: { exit: CanaryItem; config: Config }) {
  const { state, requested_at: requestedAt, ready_at: readyAt, request_tx: requestTx, paid } = exit
  const { tone, label } = STATES[state]
  const last = paid.at(-1)
  const explorer = config.chain.explorer_url
  return (
    <article className="flex flex-col">
      <div className="flex items-center justify-between gap-3">
        <Badge tone={tone}>{label()}</Badge>
        <HashText hash={requestTx} explorer={explorer} copyLabel={m.payment_copy_hash()} />
      </div>
      <FactList
        facts={[
          { label: m.trust_canary_asked(), value: formatDateTime(requestedAt) },
          last
            ? { label: m.trust_canary_paid_at(), value: formatDateTime(last.booked_at) }
            : { label: m.trust_canary_ready_at(), value: formatDateTime(readyAt) },
          ...(last
            ? [{ label: m.trust_canary_took(), value: spanText(requestedAt, last.booked_at) }]
            : state === 'waiting'
              ? [{ label: m.trust_canary_passed(), value: passedText(requestedAt, config.time) }]
              : []),
        ]}
      />
      {state === 'overdue' && <p className="pb-3 text-warn">{m.trust_canary_overdue_text()}</p>}
      {state === 'unpaid' && <p className="pb-3 text-warn">{m.trust_canary_unpaid_text()}</p>}
      <ul className="flex flex-col">
        {paid.map(({ asset, amount, tx_hash }) => (
          <li key={tx_hash} className="flex min-h-11 items-center justify-between gap-3">
            <AmountText amount={amount} asset={asset} className="font-semibold" />
            <HashText hash={tx_hash} explorer={explorer} copyLabel={m.payment_copy_hash()} />
          </li>
        ))}
      </ul>
    </article>
  )
}

function spanText(from: string, to: string): string {
  const ms = Date.parse(to) - Date.parse(from)
  return m.trust_canary_span({ days: Math.floor(ms / DAY_MS), hours: Math.floor((ms % DAY_MS) / HOUR_MS) })
}

function passedText(from: string, now: string): string {
  const ms = Math.max(0, Date.parse(now) - Date.parse(from))
  return m.trust_canary_days({ days: Math.min(6, Math.floor(ms / DAY_MS)) })
}
