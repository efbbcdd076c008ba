import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { useState } from 'react'
import { m } from '../../generated/messages.ts'
import type { RichOverview } from './rich.queries.ts'
import { starWords } from './rich-words.ts'
import { isSome } from './star-terms.ts'

const CollectSheet = lazySheet(() => import('./collect-sheet.tsx'))

/** RT that waits to be collected, the estimate of the next release, and the balance that both end in. */
export function Earnings({ overview }: { overview: RichOverview }) {
  const [isCollecting, setCollecting] = useState(false)
  const { star, step_down, counts_from, wallet_balance, to_be_earned, to_be_collected, collected, next_release_at } =
    overview
  const canCollect = isSome(to_be_collected)
  return (
    <Section title={m.rich_earnings()}>
      <div className="flex items-center justify-between gap-3 pb-2">
        <span className="flex min-w-0 flex-col">
          <span className="text-secondary text-muted">{m.rich_to_be_collected()}</span>
          <AmountText amount={to_be_collected} asset="RT" className="text-screen whitespace-normal" />
        </span>
        <Button
          size="small"
          look={canCollect ? 'main' : 'quiet'}
          disabled={!canCollect}
          onClick={() => setCollecting(true)}
        >
          {m.rich_collect()}
        </Button>
      </div>
      <FactList
        facts={[
          {
            label: m.rich_to_be_earned(),
            value: (
              <span className="flex flex-col items-end">
                {star > 0 ? <AmountText amount={to_be_earned} asset="RT" /> : '—'}
                <span className="text-secondary text-muted">
                  {star > 0 ? m.rich_next_release({ time: formatDateTime(next_release_at) }) : m.rich_needs_star()}
                </span>
                {counts_from !== null && (
                  <span className="text-secondary text-muted">
                    {m.rich_counts_from({ star: starWords(star), time: formatDateTime(counts_from) })}
                  </span>
                )}
                {step_down && <span className="text-secondary text-muted">{m.rich_notice_earns_nothing()}</span>}
              </span>
            ),
          },
          { label: m.rich_collected(), value: <AmountText amount={collected} asset="RT" /> },
          { label: m.rich_wallet_balance(), value: <AmountText amount={wallet_balance} asset="RT" /> },
        ]}
      />
      {isCollecting && <CollectSheet overview={overview} onClose={() => setCollecting(false)} />}
    </Section>
  )
}
