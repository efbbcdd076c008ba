import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useConfig } from '../../api/config.ts'
import { m } from '../../generated/paraglide/messages.js'
import { AmountText } from '../../ui/amount-text.tsx'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { formatAmount, formatTime } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Screen } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Pair, Ticker, useMarket } from './market.queries.ts'
import { PriceChange } from './price-change.tsx'
import { spotGap } from './spot-gap.ts'

const PRICE_PLACES = 4
const RESERVE_PLACES = 2

/** One market: its price and day, its pool beside the spot price, and the way to swap it. */
export function MarketScreen({ name, market }: { name: string; market: ReturnType<typeof useMarket> }) {
  const { pairs, pair, ticker, hasNoSpot } = market
  const spot = ticker.data
  if (!pair && !spot)
    return (
      <Screen title={m.title_markets({ name })}>
        {pairs.isError || (ticker.isError && !hasNoSpot) ? (
          <ErrorState
            error={pairs.error ?? ticker.error}
            onRetry={() => {
              void pairs.refetch()
              void ticker.refetch()
            }}
          />
        ) : (
          <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-4">
            <Skeleton className="h-20" />
            <Skeleton className="h-52" />
            <Skeleton className="h-52" />
          </div>
        )}
      </Screen>
    )
  const isStale = (pair && pairs.isError) || (!pair && ticker.isError)
  return (
    <Screen
      title={m.title_markets({ name: pair ? `${pair.base} / ${pair.quote}` : name })}
      aside={
        pair?.suspended ? (
          <Badge tone="warn">{m.market_suspended()}</Badge>
        ) : (
          isStale && <Badge tone="warn">{m.ui_stale()}</Badge>
        )
      }
      action={
        pair && (
          <Link to="/{-$locale}/swap/exchange" search={{ pair: pair.symbol }} className={buttonClass()}>
            <Icon name="arrow-left-right" />
            {m.market_swap({ base: pair.base })}
          </Link>
        )
      }
    >
      {pair && <PoolPrice pair={pair} />}
      {pair && <PoolFigures pair={pair} />}
      <Spot pair={pair} ticker={spot} isStale={ticker.isError || spot?.stale === true} hasNoSpot={hasNoSpot} />
      <p className="flex gap-3 rounded-card border border-line p-4 text-muted">
        <Icon name="chart-no-axes-combined" className="mt-px" />
        <span className="min-w-0">{m.market_chart_later()}</span>
      </p>
    </Screen>
  )
}

function PoolPrice({ pair }: { pair: Pair }) {
  return (
    <div className="flex flex-col">
      <span className="text-label text-muted">{m.market_pool_price()}</span>
      <span className="figures text-display [overflow-wrap:anywhere]">
        {formatAmount(pair.price, { places: PRICE_PLACES })}
        <span className="text-body font-normal text-muted"> {pair.quote}</span>
      </span>
      <span>
        <PriceChange fraction={pair.change_24h} /> <span className="text-label text-muted">{m.market_24h()}</span>
      </span>
    </div>
  )
}

function PoolFigures({ pair }: { pair: Pair }) {
  const price = (text: string) => formatAmount(text, { places: PRICE_PLACES })
  return (
    <Card title={m.market_pool()}>
      <FactList
        facts={[
          { label: m.market_high(), value: price(pair.high_24h) },
          { label: m.market_low(), value: price(pair.low_24h) },
          {
            label: m.market_volume(),
            value: <AmountText amount={pair.volume_24h} asset={pair.base} places={RESERVE_PLACES} />,
          },
          {
            label: m.market_reserves(),
            value: (
              <span className="flex flex-col items-end">
                <AmountText amount={pair.reserve_base} asset={pair.base} places={RESERVE_PLACES} />
                <AmountText amount={pair.reserve_quote} asset={pair.quote} places={RESERVE_PLACES} />
              </span>
            ),
          },
        ]}
      />
    </Card>
  )
}

/** The price elsewhere, where it comes from and how far the pool is from it. */
function Spot({
  pair,
  ticker,
  isStale,
  hasNoSpot,
}: {
  pair: Pair | undefined
  ticker: Ticker | undefined
  isStale: boolean
  hasNoSpot: boolean
}) {
  const gap = pair && ticker && spotGap(pair.price, ticker.price)
  return (
    <Card
      title={m.market_spot()}
      action={ticker && (isStale ? <Badge tone="warn">{m.market_stale_price()}</Badge> : <Source ticker={ticker} />)}
    >
      {ticker ? (
        <>
          <FactList
            facts={[
              { label: m.market_spot_price(), value: formatAmount(ticker.price, { places: PRICE_PLACES }) },
              ...(gap === undefined ? [] : [{ label: m.market_gap(), value: <PriceChange fraction={gap} /> }]),
              { label: m.market_change(), value: <PriceChange fraction={ticker.change_24h} /> },
              { label: m.market_high(), value: formatAmount(ticker.high_24h, { places: PRICE_PLACES }) },
              { label: m.market_low(), value: formatAmount(ticker.low_24h, { places: PRICE_PLACES }) },
              { label: m.market_time(), value: formatTime(ticker.time) },
            ]}
          />
          {isStale && <Source ticker={ticker} />}
        </>
      ) : hasNoSpot ? (
        <Quiet>{m.market_no_spot({ base: pair?.base ?? '' })}</Quiet>
      ) : isStale ? (
        <Quiet>{m.market_spot_missing()}</Quiet>
      ) : (
        <Skeleton className="h-52" />
      )}
    </Card>
  )
}

function Source({ ticker }: { ticker: Ticker }) {
  const simulated = useConfig()?.simulated_market
  if (simulated === undefined) return null
  return <Badge>{simulated ? m.market_simulated() : m.market_source({ name: ticker.source })}</Badge>
}

function Quiet({ children }: { children: ReactNode }) {
  return <p className="text-muted">{children}</p>
}
