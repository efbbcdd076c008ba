import { Link } from '@tanstack/react-router'
import { m } from '../../generated/paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatAmount } from '../../ui/format.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { usePairs } from './market.queries.ts'
import { PriceChange } from './price-change.tsx'

/** The swap pools with their price and how it moved in a day. */
export function MarketList() {
  const pairs = usePairs()
  return (
    <Card
      title={m.market_list()}
      action={pairs.isError && pairs.data ? <Badge tone="warn">{m.ui_stale()}</Badge> : undefined}
    >
      {pairs.data ? (
        <ul className="flex flex-col divide-y divide-line">
          {pairs.data.map((pair) => (
            <li key={pair.id}>
              <Link
                to="/{-$locale}/markets/$name"
                params={(current) => ({ ...current, name: pair.symbol })}
                className="flex min-h-14 items-center justify-between gap-3"
              >
                <span className="font-semibold">
                  {pair.base}
                  <span className="font-normal text-muted"> / {pair.quote}</span>
                </span>
                <span className="figures flex flex-col items-end">
                  <span>{formatAmount(pair.price, { places: 4 })}</span>
                  <PriceChange fraction={pair.change_24h} className="text-label" />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      ) : pairs.isError ? (
        <ErrorState error={pairs.error} onRetry={pairs.refetch} />
      ) : (
        <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-3">
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
        </div>
      )}
    </Card>
  )
}
