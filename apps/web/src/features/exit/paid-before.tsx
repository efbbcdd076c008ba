import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { HashText } from '@clearwell/ui/components/hash-text.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import type { Config } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import type { Exit } from './exit.queries.ts'

/** Payments of the vault for exits of this account. */
export function PaidBefore({ paid, config }: { paid: Exit['paid']; config: Config }) {
  if (paid.length === 0) return null
  return (
    <Section title={m.exit_paid()}>
      <ul className="flex flex-col divide-y divide-line">
        {paid.map(({ asset, amount, booked_at, tx_hash }) => (
          <li key={`${tx_hash} ${asset}`} className="flex min-h-16 items-center justify-between gap-3 py-2">
            <span className="flex min-w-0 flex-col">
              <AmountText amount={amount} asset={asset} className="font-semibold" />
              <span className="figures text-label text-muted">{formatDateTime(booked_at)}</span>
            </span>
            <HashText hash={tx_hash} explorer={config.chain.explorer_url} copyLabel={m.payment_copy_hash()} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
