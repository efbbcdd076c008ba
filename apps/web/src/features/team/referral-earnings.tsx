import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { ListRow } from '@clearwell/ui/components/list-row.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { formatAmount, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { formatDayAndTime } from '@clearwell/ui/i18n/format-date.ts'
import { useState } from 'react'
import { ArchiveNote } from '../../account/archive-note.tsx'
import { useLastPage, useListCall } from '../../api/use-list-call.ts'
import { SumOfAssets } from '../../components/sum-of-assets.tsx'
import { TokenMark } from '../../components/token-mark.tsx'
import { m } from '../../generated/messages.ts'
import { countText } from './member-face.tsx'
import type { Earning, TeamOverview } from './team.queries.ts'
import { EARNINGS } from './team.samples.ts'

const EarningSheet = lazySheet(() => import('./earning-sheet.tsx'))

/** Lists the shares again when one was added: the overview is polled. */
const EARNINGS_POLL_MS = 10_000

/** Earnings by asset and share by share. Each share names the lead's swap whose fee paid it. */
export function Earnings({ overview: { earned } }: { overview: TeamOverview }) {
  const [open, setOpen] = useState<Earning>()
  const { hidden } = useHiddenAmounts()
  const shares = useListCall('referralShares', {}, { refetchInterval: EARNINGS_POLL_MS })
  const archivedUntil = useLastPage('referralShares', {})?.archived_until
  return (
    <Section title={m.referral_earnings()}>
      {earned.length > 1 && (
        <p className="mb-3 text-section">
          <SumOfAssets amounts={earned} isTotalOnly />
        </p>
      )}
      {earned.length > 0 && (
        <ul aria-label={m.referral_earned()} className="mb-2 grid grid-cols-2 gap-x-6 gap-y-3">
          {earned.map(({ asset, amount, shares: count }) => (
            <li key={asset} className="flex min-w-0 flex-col [overflow-wrap:anywhere]">
              <span className="text-section">
                {hidden ? HIDDEN_TEXT : <AmountText amount={amount} asset={asset} />}
              </span>
              <span className="figures text-secondary text-muted">
                {m.referral_earned_shares({ count: countText(count) })}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Loaded read={shares} sample={EARNINGS}>
        {(listed) =>
          listed.length === 0 && !shares.hasNextPage ? (
            <EmptyState icon="hand-coins" title={m.referral_earnings_empty()} text={m.referral_earnings_empty_text()} />
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {listed.map((share) => (
                <li key={`${share.id} ${share.asset}`}>
                  <ListRow
                    mark={<TokenMark asset={share.asset} />}
                    title={<span className="font-mono">{share.lead}</span>}
                    detail={formatDayAndTime(share.created_at)}
                    value={hidden ? HIDDEN_TEXT : <AmountText amount={share.amount} asset={share.asset} signed />}
                    valueDetail={m.referral_fee({ fee: hidden ? HIDDEN_TEXT : feeText(share) })}
                    onClick={() => setOpen(share)}
                    className="max-narrow:text-secondary"
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <ListEnd {...shares} />
      <ArchiveNote until={archivedUntil} />
      {open && <EarningSheet share={open} onClose={() => setOpen(undefined)} />}
    </Section>
  )
}

function feeText({ fee, asset }: Earning): string {
  return `${formatAmount(fee, { decimals: significantDecimals(fee) })} ${asset}`
}
