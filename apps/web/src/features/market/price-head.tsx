import type { PriceState } from '@clearwell/api/market.routes'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { changeBetween } from '@clearwell/ui/components/chart/candles.ts'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { PriceChange } from '@clearwell/ui/components/price-change.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { useId } from 'react'
import { useConfig } from '../../api/config.ts'
import { PriceStateBadge, PriceStateText } from '../../components/price-state.tsx'
import { m } from '../../generated/messages.ts'
import type { CandleSource } from './candles.queries.ts'
import type { ChartRange } from './chart-choice.ts'
import type { Ticker } from './market.queries.ts'
import { rangeWords } from './market-chart.tsx'
import { BNB } from './pair.samples.ts'
import { usePriceLine } from './price-line.queries.ts'
import type { Pair } from './use-pairs.ts'

const VOLUME_DECIMALS = 2
/** A volume with more whole digits is shown without decimals. */
const LONG_DIGITS = 4

interface PriceProps {
  readonly kind: CandleSource['kind']
  readonly pair: Pair | undefined
  readonly ticker: Ticker | undefined
  readonly decimals: number
}

/** The current price of the pool or of spot, with its change. A press on the price sets an alert there. */
export function PriceHead({
  kind,
  pair,
  ticker,
  state,
  isOutdated,
  decimals,
  source,
  range,
  onAlert,
}: PriceProps & {
  state: PriceState | undefined
  /** The pools could not be read again. */
  isOutdated: boolean
  source: CandleSource | undefined
  /** The range of the line; `day` beside candles, whose change is of 24 hours. */
  range: ChartRange
  onAlert: (price: string) => void
}) {
  const id = useId()
  const shown = kind === 'pool' ? pair : ticker
  if (!shown)
    return (
      <Pending>
        <PriceHead
          kind="pool"
          pair={BNB}
          ticker={undefined}
          state={undefined}
          isOutdated={false}
          decimals={decimals}
          source={undefined}
          range={range}
          onAlert={onAlert}
        />
      </Pending>
    )
  const { price, change_24h } = shown
  if (price === null) return <NoPrice />
  return (
    <section aria-label={m.market_price()} className="flex min-h-16 flex-col">
      <span className="flex min-h-7 items-center gap-2 text-label text-muted">
        {kind === 'pool' ? m.market_pool_price() : m.market_spot_price()}
        <SimulatedMark kind={kind} />
        {kind === 'pool'
          ? isOutdated && <Badge tone="warning">{m.ui_stale()}</Badge>
          : state && <PriceStateBadge state={state} />}
      </span>
      <span className="flex flex-wrap items-baseline gap-x-3">
        <button
          type="button"
          aria-haspopup="dialog"
          aria-describedby={id}
          onClick={() => onAlert(price)}
          className="figures -my-1 min-h-11 text-amount max-narrow:text-screen [overflow-wrap:anywhere] hover:text-accent"
        >
          {formatPrice(price, decimals)}
        </button>
        <span id={id} className="sr-only">
          {m.market_alert_here()}
        </span>
        {range === 'day' || !source ? (
          change_24h !== null && <Change fraction={change_24h} of={m.market_24h()} />
        ) : (
          <RangeChange source={source} range={range} price={price} />
        )}
      </span>
    </section>
  )
}

/** The spot price is unknown: the reason takes its place, and the commands that still work. */
function NoPrice() {
  return (
    <section aria-label={m.market_price()} className="flex min-h-16 flex-col gap-1">
      <span className="flex min-h-7 items-center gap-2 text-label text-muted">
        {m.market_spot_price()}
        <SimulatedMark kind="spot" />
      </span>
      <span className="text-amount max-narrow:text-screen">{m.ui_price_unknown()}</span>
      <PriceStateText state="unknown" />
    </section>
  )
}

/** Marks simulated prices. The local profile has a simulated trader in each pool. */
export function SimulatedMark({ kind }: Pick<PriceProps, 'kind'>) {
  const config = useConfig()
  if (kind === 'pool') return config?.profile === 'local' && <Badge>{m.market_simulated_trades()}</Badge>
  return config?.simulated_market && <Badge>{m.market_simulated()}</Badge>
}

/** The change over the range of the line, from the same prices as the line. */
function RangeChange({ source, range, price }: { source: CandleSource; range: ChartRange; price: string }) {
  const first = usePriceLine(source, range).data?.[0]
  const change = first && changeBetween(first.open, price)
  return change && <Change fraction={change} of={rangeWords()[range]} />
}

function Change({ fraction, of }: { fraction: string; of: string }) {
  return (
    <span>
      <PriceChange fraction={fraction} /> <span className="text-label text-muted">{of}</span>
    </span>
  )
}

/** The highest and lowest price and the volume of 24 hours. */
export function DayFigures({ kind, pair, ticker, decimals }: PriceProps) {
  const shown = kind === 'pool' ? pair : ticker
  if (!shown)
    return (
      <Pending>
        <DayFigures kind="pool" pair={BNB} ticker={undefined} decimals={decimals} />
      </Pending>
    )
  const { volume_24h: volume, high_24h: high, low_24h: low } = shown
  if (volume === null || high === null || low === null) return null
  const isLarge = (volume.split('.')[0] ?? '').length > LONG_DIGITS
  const day = [
    { label: m.market_high(), value: formatPrice(high, decimals) },
    { label: m.market_low(), value: formatPrice(low, decimals) },
    {
      label: m.market_volume(),
      value: formatAmount(volume, { decimals: isLarge ? 0 : VOLUME_DECIMALS }),
      unit: pair?.base,
    },
  ]
  return (
    <dl className="figures flex flex-wrap justify-between gap-x-3 gap-y-1 text-label">
      {day.map(({ label, value, unit }) => (
        <div key={label}>
          <dt className="text-muted">{label}</dt>
          <dd>
            {value}
            {unit && <span className="text-muted"> {unit}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
