import { Badge } from '@clearwell/ui/components/badge.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { useDeferredValue } from 'react'
import { useConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { MarketRow, MarketRowSkeleton } from './market-row.tsx'
import { usePairs } from './use-pairs.ts'

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
        <ul className="flex flex-col divide-y divide-line">
          {shown.map((pair) => (
            <li key={pair.id}>
              <MarketRow pair={pair} />
            </li>
          ))}
        </ul>
      ) : pairs.isError ? (
        <ErrorState error={pairs.error} onRetry={pairs.refetch} />
      ) : (
        <div role="status" aria-label={m.app_loading()} className="flex flex-col divide-y divide-line">
          <MarketRowSkeleton />
          <MarketRowSkeleton />
          <MarketRowSkeleton />
        </div>
      )}
    </section>
  )
}
