import { Link } from '@tanstack/react-router'
import { useCall } from '../../api/use-call.ts'
import { m } from '../../generated/paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatAmount, formatPercent } from '../../ui/format.ts'
import { Skeleton } from '../../ui/skeleton.tsx'

const POLL_MS = 3_000

/** The swap pools with their price and how it moved in a day. */
export function MarketList() {
  const pairs = useCall('pairs', {}, { refetchInterval: POLL_MS })
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
                  <Change fraction={pair.change_24h} />
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

function Change({ fraction }: { fraction: string }) {
  const still = !/[1-9]/.test(fraction)
  const tone = still ? 'text-muted' : fraction.startsWith('-') ? 'text-down' : 'text-up'
  return <span className={cx('text-label', tone)}>{formatPercent(fraction, { signed: true })}</span>
}
