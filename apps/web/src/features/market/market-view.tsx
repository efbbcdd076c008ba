import { Button, buttonClass } from '@clearwell/ui/components/button.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen, ScreenPart } from '@clearwell/ui/components/screen.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { formatPrice, priceDecimals } from '@clearwell/ui/i18n/price-text.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { m } from '../../generated/messages.ts'
import type { CandleSource } from './candles.queries.ts'
import { type ChartChoice, useChartChoice } from './chart-choice.ts'
import { LatestTrades } from './latest-trades.tsx'
import { spotState, type useMarket } from './market.queries.ts'
import { SPOT } from './market.samples.ts'
import { MarketChart, SampleChart } from './market-chart.tsx'
import { BNB } from './pair.samples.ts'
import { PoolFigures } from './pool-figures.tsx'
import { DayFigures, PriceHead } from './price-head.tsx'
import { SpotFigures } from './spot-figures.tsx'
import type { Pair } from './use-pairs.ts'

type Market = ReturnType<typeof useMarket>

/**
 * The view of one market: its price over time, pool and spot figures, latest trades, and the links to buy and sell.
 *
 * @param onAlert opens the alerts: with the price that was pressed, if one was.
 */
export function MarketView({
  name,
  market,
  onAlert,
}: {
  name: string
  market: Market
  onAlert: (price: string | undefined) => void
}) {
  const [pointed, setPointed] = useState<string>()
  const { pairs, pair, symbol, ticker } = market
  const [choice, choose] = useChartChoice()
  const spot = ticker.data
  if (!pair && !spot) return <NothingYet name={name} market={market} />
  // The choice is kept from another market, which may have had other sources.
  const kind = !pair ? 'spot' : symbol === null ? 'pool' : choice.kind
  const decimals = priceDecimals(pair?.price ?? spot?.price ?? '')
  const title = pair ? `${pair.base}/${pair.quote}` : pairTitle(name)
  const source = sourceOf(kind, market, name)

  function change(next: Partial<ChartChoice>): void {
    setPointed(undefined)
    choose(next)
  }

  return (
    <Screen
      title={title}
      aside={
        <Aside
          onAlert={() => onAlert(undefined)}
          kind={pair && symbol !== null ? kind : undefined}
          onKind={(next) => change({ kind: next })}
        />
      }
      action={pair && <TradeActions pair={pair} />}
    >
      {pair?.suspended && <SuspendedBanner pair={pair} />}
      <ScreenPart>
        <PriceHead
          kind={kind}
          pair={pair}
          ticker={spot}
          state={spotState(ticker)}
          isOutdated={pairs.isError}
          decimals={decimals}
          source={source}
          range={choice.view === 'line' ? choice.range : 'day'}
          onAlert={onAlert}
        />
        <MarketChart
          name={title}
          source={source}
          pair={pair}
          ticker={spot}
          choice={{ ...choice, kind }}
          onChoice={change}
          decimals={decimals}
          // The price stays after the finger has left the chart, so that it can be pressed.
          onPoint={(price) => {
            if (price !== undefined) setPointed(price)
          }}
          onSpot={kind === 'pool' && symbol !== null ? () => change({ kind: 'spot' }) : undefined}
        />
        <AlertButton price={pointed} decimals={decimals} onAlert={onAlert} />
        <DayFigures kind={kind} pair={pair} ticker={spot} decimals={decimals} />
      </ScreenPart>
      <ScreenPart>
        {pair && ticker.isLoading && (
          <Pending>
            <PoolFigures pair={pair} ticker={SPOT} decimals={decimals} />
          </Pending>
        )}
        {pair && !ticker.isLoading && <PoolFigures pair={pair} ticker={spot} decimals={decimals} />}
        {/* The pool's figures, which come with the pair, would push them down. */}
        {(pairs.data || pairs.isError) && (
          <SpotFigures base={pair?.base ?? name} symbol={symbol} query={ticker} decimals={decimals} />
        )}
        {pair && <LatestTrades pair={pair} decimals={decimals} />}
      </ScreenPart>
    </Screen>
  )
}

function Aside({
  kind,
  onKind,
  onAlert,
}: {
  /** `undefined` where the market has one price alone. */
  kind: ChartChoice['kind'] | undefined
  onKind: (kind: ChartChoice['kind']) => void
  onAlert: () => void
}) {
  return (
    <div className="flex max-w-full flex-wrap items-center gap-1">
      <IconButton icon="bell-plus" label={m.alert_title()} aria-haspopup="dialog" onClick={onAlert} />
      {kind && (
        <SegmentedControl
          label={m.market_kind()}
          options={[
            { value: 'pool', label: m.market_kind_pool() },
            { value: 'spot', label: m.market_kind_spot() },
          ]}
          value={kind}
          onChange={onKind}
        />
      )}
    </div>
  )
}

function sourceOf(kind: ChartChoice['kind'], { pair, symbol }: Market, name: string): CandleSource | undefined {
  if (kind === 'spot') return { kind, symbol: symbol ?? name }
  return pair && { kind, poolId: pair.id }
}

/** Sets an alert at the price that was pressed in the chart; until then, at a price to choose. */
function AlertButton({
  price,
  decimals,
  onAlert,
}: {
  price: string | undefined
  decimals: number
  onAlert: (price: string | undefined) => void
}) {
  return (
    <Button look="quiet" icon="bell-plus" aria-haspopup="dialog" onClick={() => onAlert(price)}>
      {price === undefined ? m.market_set_alert() : m.market_alert_at({ price: formatPrice(price, decimals) })}
    </Button>
  )
}

/** The links to buy and sell the first asset in the pool, less prominent while it is suspended. */
function TradeActions({ pair: { symbol, base, quote, suspended } }: { pair: Pair }) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <Link
        to="/{-$locale}/swap/exchange"
        search={{ pair: symbol, sell: quote }}
        className={buttonClass(suspended ? 'quiet' : 'main')}
      >
        {m.market_buy_base({ base })}
      </Link>
      <Link to="/{-$locale}/swap/exchange" search={{ pair: symbol, sell: base }} className={buttonClass('quiet')}>
        {m.market_sell_base({ base })}
      </Link>
    </div>
  )
}

/** `BNB/USDT` from the name of a market, before its pair is known; a name of another form as it is. */
function pairTitle(name: string): string {
  return name.replace(/(?<=.)USDT$/, '/USDT')
}

function NothingYet({ name, market: { pairs, ticker } }: { name: string; market: Market }) {
  const failed = pairs.isError ? pairs : ticker.isError ? ticker : undefined
  return (
    <Screen
      title={pairTitle(name)}
      aside={
        !failed && (
          <Pending>
            <Aside kind="spot" onKind={() => {}} onAlert={() => {}} />
          </Pending>
        )
      }
    >
      {failed ? (
        <ErrorState
          error={failed.error}
          onRetry={() => {
            void ticker.refetch()
            return pairs.refetch()
          }}
        />
      ) : (
        <Pending>
          <Sample />
        </Pending>
      )}
    </Screen>
  )
}

/** The parts of the screen that every market has, as they were chosen last. */
function Sample() {
  const [choice] = useChartChoice()
  const { kind, view, range } = choice
  const figures = { kind, pair: BNB, ticker: SPOT, decimals: 2 } as const
  const nothing = () => {}
  return (
    <ScreenPart>
      <PriceHead
        {...figures}
        state="fresh"
        isOutdated={false}
        source={undefined}
        range={view === 'line' ? range : 'day'}
        onAlert={nothing}
      />
      <SampleChart choice={choice} />
      <AlertButton price={undefined} decimals={2} onAlert={nothing} />
      <DayFigures {...figures} />
    </ScreenPart>
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
function suspendedText({ suspended_reason }: Pair): string {
  switch (suspended_reason) {
    case 'operator':
      return m.market_suspended_operator()
    case 'insolvent':
      return m.market_suspended_insolvent()
    default:
      return m.market_suspended_other()
  }
}
