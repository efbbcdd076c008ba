import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../../components/button.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Screen } from '../../components/screen.tsx'
import { SegmentedControl } from '../../components/segmented-control.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { pricePlaces } from '../../i18n/price-text.ts'
import { Icon } from '../../icons/icon.tsx'
import { useChartChoice } from './chart-choice.ts'
import { LatestTrades } from './latest-trades.tsx'
import type { useMarket } from './market.queries.ts'
import { ChartSkeleton, MarketChart } from './market-chart.tsx'
import { PoolFigures } from './pool-figures.tsx'
import { PriceHead } from './price-head.tsx'
import { SpotFigures } from './spot-figures.tsx'
import { SuspendedBanner } from './suspended-banner.tsx'
import type { Pair } from './use-pairs.ts'

type Market = ReturnType<typeof useMarket>

/** One market: its price and day, its candles, its pool beside the spot price, its latest trades, and the way to swap it. */
export function MarketScreen({ name, market, alerts }: { name: string; market: Market; alerts?: ReactNode }) {
  const { pairs, pair, symbol, ticker } = market
  const [choice, choose] = useChartChoice()
  const spot = ticker.data
  if (!pair && !spot) return <NothingYet name={name} market={market} />
  // What was chosen on another market may not be had on this one.
  const kind = !pair ? 'spot' : symbol === null ? 'pool' : choice.kind
  const places = pricePlaces(pair?.price ?? spot?.price ?? '')
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
      <PriceHead kind={kind} pair={pair} ticker={spot} isStale={isStale} places={places} />
      <MarketChart
        name={title}
        pair={pair}
        symbol={symbol}
        ticker={spot}
        choice={{ kind, interval: choice.interval }}
        onChoice={choose}
        places={places}
      />
      {pair && <PoolFigures pair={pair} ticker={spot} places={places} />}
      <SpotFigures base={pair?.base ?? name} symbol={symbol} query={ticker} places={places} />
      {pair && <LatestTrades pair={pair} places={places} />}
    </Screen>
  )
}

/** While the pool takes no swap it is no invitation. */
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
