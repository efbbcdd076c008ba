import { CandleChart } from '@clearwell/ui/components/chart/candle-chart.tsx'
import { ChartViewButton } from '@clearwell/ui/components/chart/chart-view.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { m } from '../../generated/messages.ts'
import type { CandleInterval, CandleSource } from './candles.queries.ts'
import { type ChartChoice, type ChartRange, INTERVALS } from './chart-choice.ts'
import type { Ticker } from './market.queries.ts'
import { CANDLES, POINTS } from './market.samples.ts'
import { MarketCandles } from './market-candles.tsx'
import { useRanges } from './price-line.queries.ts'
import { Line, type LivePrice, PriceLine } from './price-line.tsx'
import type { Pair } from './use-pairs.ts'

interface MarketChartProps {
  readonly name: string
  readonly source: CandleSource | undefined
  readonly pair: Pair | undefined
  readonly ticker: Ticker | undefined
  readonly choice: ChartChoice
  readonly onChoice: (choice: Partial<ChartChoice>) => void
  readonly decimals: number
  /** The price at the crosshair, as plain decimal text; `undefined` where it is on none. */
  readonly onPoint: (price: string | undefined) => void
  /** Shows spot instead; absent where there is none. */
  readonly onSpot: (() => void) | undefined
}

/** The price of the pool or of spot: as a line over a range, or as candles of an interval. */
export function MarketChart(props: MarketChartProps) {
  const { name, source, pair, ticker, choice, onChoice, decimals, onPoint, onSpot } = props
  const { kind, view, range, interval } = choice
  const live =
    kind === 'pool'
      ? // The pairs carry no time: their price counts to the server's last candle.
        pair && { value: pair.price, time: undefined }
      : liveSpot(ticker)
  const of = `${name} · ${kind === 'pool' ? m.market_pool() : m.market_spot()}`
  if (!source) return null
  const shared = { source, live, decimals, onPoint, onSpot }
  return (
    <section aria-label={m.market_chart()} className="flex flex-col gap-3">
      {/* Above the drawing: on the shortest phone the main action covers what is below it. */}
      <Controls source={source} choice={choice} onChoice={onChoice} />
      {view === 'line' ? (
        <PriceLine key={`${kind} ${range}`} {...shared} label={`${of} · ${rangeWords()[range]}`} range={range} />
      ) : (
        <MarketCandles
          key={`${kind} ${interval}`}
          {...shared}
          label={`${of} · ${intervalWords()[interval]}`}
          interval={interval}
          base={pair?.base ?? ''}
        />
      )}
    </section>
  )
}

/** A price that is shown only because nothing newer is known is no current one. */
function liveSpot(ticker: Ticker | undefined): LivePrice | undefined {
  if (!ticker || ticker.price === null || ticker.state === 'stale') return undefined
  return { value: ticker.price, time: ticker.time ?? undefined }
}

/** The chart in its place, before its market is known. */
export function SampleChart({ choice }: { choice: ChartChoice }) {
  const label = m.market_chart()
  const formats = { decimals: 2, price: formatPrice, base: '' }
  return (
    <section aria-label={label} className="flex flex-col gap-3">
      <ChartControls ranges={ALL_RANGES} choice={choice} onChoice={() => {}} />
      {choice.view === 'line' ? (
        <Line label={label} points={POINTS} decimals={2} onPoint={() => {}} />
      ) : (
        <CandleChart label={label} candles={CANDLES} formats={formats} />
      )}
    </section>
  )
}

interface ControlsProps {
  readonly choice: ChartChoice
  readonly onChoice: (choice: Partial<ChartChoice>) => void
}

function Controls({ source, ...props }: ControlsProps & { source: CandleSource }) {
  return <ChartControls {...props} ranges={useRanges(source)} />
}

/** The ranges of the line or the intervals of the candles, and the button for the other view. */
function ChartControls({
  ranges,
  choice: { view, range, interval },
  onChoice,
}: ControlsProps & {
  /** `undefined` while they are read. */
  ranges: readonly ChartRange[] | undefined
}) {
  return (
    <div className="flex items-center gap-2">
      <div className="min-w-0 flex-1">
        {view === 'candles' ? (
          <SegmentedControl
            label={m.market_interval()}
            options={INTERVALS.map((value) => ({ value, label: intervalWords()[value] }))}
            value={interval}
            onChange={(next) => onChoice({ interval: next })}
          />
        ) : ranges ? (
          <RangeControl ranges={ranges} range={range} onChange={(next) => onChoice({ range: next })} />
        ) : (
          <Pending>
            <RangeControl ranges={ALL_RANGES} range={range} onChange={() => {}} />
          </Pending>
        )}
      </div>
      <ChartViewButton view={view} onView={(next) => onChoice({ view: next })} />
    </div>
  )
}

const ALL_RANGES = ['day', 'week', 'month', 'year'] as const satisfies readonly ChartRange[]

function RangeControl({
  ranges,
  range,
  onChange,
}: {
  ranges: readonly ChartRange[]
  range: ChartRange
  onChange: (range: ChartRange) => void
}) {
  return (
    <SegmentedControl
      label={m.market_range()}
      options={ranges.map((value) => ({ value, label: rangeWords()[value] }))}
      value={range}
      onChange={onChange}
    />
  )
}

export function rangeWords(): Record<ChartRange, string> {
  return {
    day: m.market_range_day(),
    week: m.market_range_week(),
    month: m.market_range_month(),
    year: m.market_range_year(),
  }
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
