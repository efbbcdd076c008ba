import { useMemo } from 'react'
import { cx } from '../../browser/cx.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CANDLE_CHART_HEIGHT, CandleChart } from '../../components/chart/candle-chart.tsx'
import type { CandleFormats } from '../../components/chart/candle-figures.tsx'
import { withLivePrice } from '../../components/chart/candles.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { SegmentedControl } from '../../components/segmented-control.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatPrice } from '../../i18n/price-text.ts'
import { type CandleInterval, type CandleSource, useCandles } from './candles.queries.ts'
import { type ChartChoice, INTERVALS } from './chart-choice.ts'
import type { Ticker } from './market.queries.ts'
import type { Pair } from './use-pairs.ts'

interface MarketChartProps {
  readonly name: string
  readonly pair: Pair | undefined
  readonly symbol: string | null
  readonly ticker: Ticker | undefined
  readonly choice: ChartChoice
  readonly onChoice: (choice: Partial<ChartChoice>) => void
  readonly decimals: number
}

const SECONDS: Record<CandleInterval, number> = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3_600,
  '4h': 14_400,
  '1d': 86_400,
}

/** The candles of the pool or of spot, with a choice of interval; the last candle follows the price. */
export function MarketChart({ name, pair, symbol, ticker, choice, onChoice, decimals }: MarketChartProps) {
  const { kind, interval } = choice
  const source: CandleSource | undefined =
    kind === 'spot' ? { kind, symbol: symbol ?? name } : pair && { kind, poolId: pair.id }
  const price =
    kind === 'pool'
      ? // The pairs carry no time: their price counts to the server's last candle.
        pair && { value: pair.price, seconds: undefined }
      : ticker && !ticker.stale && { value: ticker.price, seconds: Date.parse(ticker.time) / 1000 }
  const words = intervalWords()
  const of = kind === 'pool' ? m.market_pool() : m.market_spot()
  return (
    <section aria-label={m.market_chart()} className="flex flex-col gap-4">
      <SegmentedControl
        label={m.market_interval()}
        options={INTERVALS.map((value) => ({ value, label: words[value] }))}
        value={interval}
        onChange={(next) => onChoice({ interval: next })}
      />
      {source && (
        <Candles
          key={`${kind} ${interval}`}
          label={`${name} · ${of} · ${words[interval]}`}
          source={source}
          interval={interval}
          price={price || undefined}
          base={pair?.base ?? ''}
          decimals={decimals}
          onSpot={kind === 'pool' && symbol !== null ? () => onChoice({ kind: 'spot' }) : undefined}
        />
      )}
    </section>
  )
}

function Candles({
  label,
  source,
  interval,
  price,
  base,
  decimals,
  onSpot,
}: {
  label: string
  source: CandleSource
  interval: CandleInterval
  price: { value: string; seconds: number | undefined } | undefined
  base: string
  decimals: number
  /** Shows the candles of spot instead; absent where there are none. */
  onSpot: (() => void) | undefined
}) {
  const { query, older } = useCandles(source, interval)
  const known = query.data?.candles
  const { value, seconds } = price ?? {}
  const candles = useMemo(
    () => (known && value !== undefined ? withLivePrice(known, { value, seconds }, SECONDS[interval]) : known),
    [known, value, seconds, interval],
  )
  const formats = useMemo<CandleFormats>(
    () => ({ decimals, price: (text) => formatPrice(text, decimals), base }),
    [decimals, base],
  )
  if (!candles)
    return query.isError ? (
      <div className={cx('flex flex-col justify-center', CANDLE_CHART_HEIGHT)}>
        <ErrorState error={query.error} onRetry={query.refetch} />
      </div>
    ) : (
      <ChartSkeleton />
    )
  if (candles.length === 0)
    return (
      <EmptyState
        icon="chart-no-axes-combined"
        title={m.market_no_candles()}
        text={m.market_no_candles_text()}
        action={
          onSpot && (
            <Button look="quiet" size="small" onClick={onSpot}>
              {m.market_show_spot()}
            </Button>
          )
        }
      />
    )
  return (
    <div className="relative">
      {query.isError && (
        <span className="absolute top-12 left-2 z-4 rounded-full bg-ground">
          <Badge tone="warning">{m.ui_stale()}</Badge>
        </span>
      )}
      <CandleChart label={label} candles={candles} older={older} formats={formats} />
    </div>
  )
}

/** The room of a chart while it loads: figures, drawing, controls and attribution. */
export function ChartSkeleton() {
  return (
    <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-2">
      <Skeleton className="h-8.5" />
      <Skeleton className={CANDLE_CHART_HEIGHT} />
      <Skeleton className="h-11" />
      <Skeleton className="h-7" />
    </div>
  )
}

function intervalWords(): Record<CandleInterval, string> {
  return {
    '1m': m.market_interval_1m(),
    '5m': m.market_interval_5m(),
    '15m': m.market_interval_15m(),
    '1h': m.market_interval_1h(),
    '4h': m.market_interval_4h(),
    '1d': m.market_interval_1d(),
  }
}
