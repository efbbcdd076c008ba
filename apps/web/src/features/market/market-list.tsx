import { Badge } from '@clearwell/ui/components/badge.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { type ReactNode, useDeferredValue } from 'react'
import { useConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { MarketRow, PricedRow } from './market-row.tsx'
import { DAY, PAIRS } from './pair.samples.ts'
import { type Pair, usePairs } from './use-pairs.ts'

/** The markets with their price, and its change and line over 24 hours. */
export function MarketList() {
  const pairs = usePairs()
  // React renders the rows in slices, between which a slow phone can respond.
  const shown = useDeferredValue(pairs.data)
  const config = useConfig()
  return (
    <section aria-label={m.market_list()} className="flex flex-col">
      <header className="flex min-h-7 flex-wrap items-center gap-x-2">
        <h2 className="text-section">{m.market_list()}</h2>
        <span className="flex-1 text-label text-muted">{m.market_list_source()}</span>
        {pairs.isError && pairs.data ? (
          <Badge tone="warning">{m.ui_stale()}</Badge>
        ) : (
          config?.simulated_market && <Badge>{m.market_simulated()}</Badge>
        )}
      </header>
      {shown ? (
        <Rows pairs={shown}>{(pair) => <MarketRow pair={pair} />}</Rows>
      ) : pairs.isError ? (
        <ErrorState error={pairs.error} onRetry={pairs.refetch} />
      ) : (
        <Pending>
          <Rows pairs={PAIRS}>{(pair) => <PricedRow pair={pair} day={DAY} />}</Rows>
        </Pending>
      )}
    </section>
  )
}

function Rows({ pairs, children }: { pairs: readonly Pair[]; children: (pair: Pair) => ReactNode }) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {pairs.map((pair) => (
        <li key={pair.id}>{children(pair)}</li>
      ))}
    </ul>
  )
}
