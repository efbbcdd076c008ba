import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Card } from '../../components/card.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PriceChange } from '../../components/price-change.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatPrice } from '../../i18n/price-text.ts'
import { usePairs } from './use-pairs.ts'

const Sparkline = lazyPart(() => import('./sparkline.tsx'))

/** `true` after the first interaction: only then does home load the sparklines. */
let hadInteraction = false

/** The swap pools with their price and its change in 24 hours. */
export function MarketList() {
  const pairs = usePairs()
  const hasInteracted = useHasInteracted()
  return (
    <Card
      title={m.market_list()}
      action={pairs.isError && pairs.data ? <Badge tone="warning">{m.ui_stale()}</Badge> : undefined}
    >
      {pairs.data ? (
        <ul className="flex flex-col divide-y divide-line">
          {pairs.data.map((pair) => (
            <li key={pair.id}>
              <Link
                to="/{-$locale}/markets/$name"
                params={(current) => ({ ...current, name: pair.symbol })}
                className="flex min-h-14 flex-wrap items-center justify-between gap-x-3"
              >
                <span className="flex-1 font-semibold">
                  {pair.base}
                  <span className="font-normal text-muted"> / {pair.quote}</span>
                </span>
                <span className="h-7 w-16">{hasInteracted && <Sparkline pair={pair} />}</span>
                <span className="figures flex w-28 flex-col items-end">
                  <span>{formatPrice(pair.price)}</span>
                  {pair.suspended ? (
                    <span className="text-end text-label text-warn">{m.market_suspended()}</span>
                  ) : (
                    <PriceChange fraction={pair.change_24h} className="text-label" />
                  )}
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

/** Detects the first touch, scroll, pointer movement or key press on the page. */
function useHasInteracted(): boolean {
  const [hasInteracted, setHasInteracted] = useState(hadInteraction)
  useEffect(() => {
    const stop = new AbortController()
    const recordInteraction = () => {
      hadInteraction = true
      setHasInteracted(true)
      stop.abort()
    }
    // Earlier, on another screen.
    if (navigator.userActivation?.hasBeenActive) recordInteraction()
    for (const event of ['pointerdown', 'pointermove', 'keydown', 'scroll'])
      addEventListener(event, recordInteraction, { signal: stop.signal, passive: true })
    return () => stop.abort()
  }, [])
  return hasInteracted
}
