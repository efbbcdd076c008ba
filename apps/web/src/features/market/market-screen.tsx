import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../../components/button.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Screen } from '../../components/screen.tsx'
import { SegmentedControl } from '../../components/segmented-control.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatDateTime } from '../../i18n/format.ts'
import { priceDecimals } from '../../i18n/price-text.ts'
import { Icon } from '../../icons/icon.tsx'
import { useChartChoice } from './chart-choice.ts'
import { LatestTrades } from './latest-trades.tsx'
import type { useMarket } from './market.queries.ts'
import { ChartSkeleton, MarketChart } from './market-chart.tsx'
import { PoolFigures } from './pool-figures.tsx'
import { PriceHead } from './price-head.tsx'
import { SpotFigures } from './spot-figures.tsx'
import type { Pair } from './use-pairs.ts'

type Market = ReturnType<typeof useMarket>

/** One market: price and 24 hours, candles, pool and spot figures, latest trades, and a link to swap it. */
export function MarketScreen({ name, market, alerts }: { name: string; market: Market; alerts?: ReactNode }) {
  const { pairs, pair, symbol, ticker } = market
  const [choice, choose] = useChartChoice()
  const spot = ticker.data
  if (!pair && !spot) return <NothingYet name={name} market={market} />
  // The choice is kept from another market, which may have had other sources.
  const kind = !pair ? 'spot' : symbol === null ? 'pool' : choice.kind
  const decimals = priceDecimals(pair?.price ?? spot?.price ?? '')
  const isStale = kind === 'pool' ? pairs.isError : ticker.isError || spot?.stale === true
  const title = pair ? `${pair.base}/${pair.quote}` : name
  return (
    <Screen
      title={title}
      aside={
        <div className="flex max-w-full flex-wrap items-center gap-1">
          {alerts}
          {pair && symbol !== null && (
            <SegmentedControl
              label={m.market_kind()}
              options={[
                { value: 'pool', label: m.market_kind_pool() },
                { value: 'spot', label: m.market_kind_spot() },
              ]}
              value={kind}
              onChange={(next) => choose({ kind: next })}
            />
          )}
        </div>
      }
      action={pair && <SwapAction pair={pair} />}
    >
      {pair?.suspended && <SuspendedBanner pair={pair} />}
      <PriceHead kind={kind} pair={pair} ticker={spot} isStale={isStale} decimals={decimals} />
      <MarketChart
        name={title}
        pair={pair}
        symbol={symbol}
        ticker={spot}
        choice={{ kind, interval: choice.interval }}
        onChoice={choose}
        decimals={decimals}
      />
      {pair && <PoolFigures pair={pair} ticker={spot} decimals={decimals} />}
      <SpotFigures base={pair?.base ?? name} symbol={symbol} query={ticker} decimals={decimals} />
      {pair && <LatestTrades pair={pair} decimals={decimals} />}
    </Screen>
  )
}

/** The link to the swap screen, less prominent while the pool is suspended. */
function SwapAction({ pair }: { pair: Pair }) {
  return (
    <Link
      to="/{-$locale}/swap/exchange"
      search={{ pair: pair.symbol }}
      className={buttonClass(pair.suspended ? 'quiet' : 'main')}
    >
      <Icon name="arrow-left-right" />
      {m.market_swap({ base: pair.base })}
    </Link>
  )
}

function NothingYet({ name, market: { pairs, ticker } }: { name: string; market: Market }) {
  const failed = pairs.isError ? pairs : ticker.isError ? ticker : undefined
  return (
    <Screen title={m.title_markets({ name })}>
      {failed ? (
        <ErrorState
          error={failed.error}
          onRetry={() => {
            void ticker.refetch()
            return pairs.refetch()
          }}
        />
      ) : (
        <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-4">
          <Skeleton className="h-24" />
          <Skeleton className="h-13.5" />
          <ChartSkeleton />
        </div>
      )}
    </Screen>
  )
}

/** The pool is suspended: why and since when. */
function SuspendedBanner({ pair }: { pair: Pair }) {
  return (
    <div role="status" className="flex gap-3 rounded-card border border-warn/50 p-4">
      <Icon name="triangle-alert" className="mt-px text-warn" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="font-semibold text-warn">{m.market_suspended()}</p>
        <p>{suspendedText(pair)}</p>
        {pair.suspended_at && (
          <p className="text-label text-muted">
            {m.market_suspended_since({ time: formatDateTime(pair.suspended_at) })}
          </p>
        )}
      </div>
    </div>
  )
}

/** The reason for a pool's suspension, and the condition that ends it. */
function suspendedText({ suspended_reason, spot_symbol }: Pair): string {
  switch (suspended_reason) {
    case 'price_deviation':
      return spot_symbol === null ? m.market_suspended_moved() : m.market_suspended_deviation()
    case 'operator':
      return m.market_suspended_operator()
    case 'insolvent':
      return m.market_suspended_insolvent()
    default:
      return m.market_suspended_other()
  }
}
