import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import type { ChartPoint } from '@clearwell/ui/components/chart/chart-points.ts'
import { TimeChart } from '@clearwell/ui/components/chart/time-chart.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { useMemo } from 'react'
import { m } from '../../generated/messages.ts'
import type { CandleSource } from './candles.queries.ts'
import type { ChartRange } from './chart-choice.ts'
import { POINTS } from './market.samples.ts'
import { pointsOf, usePriceLine } from './price-line.queries.ts'

/** Lower on a short screen, so that the whole line stays above the main action. */
const LINE_HEIGHT = 'h-64 short:h-52'

/** The current price: plain decimal text, and its time where the source gives one. */
export interface LivePrice {
  readonly value: string
  readonly time: string | undefined
}

/** The price over a range up to now, with its area. */
export function PriceLine({
  label,
  source,
  range,
  live,
  decimals,
  onSpot,
  onPoint,
}: {
  label: string
  source: CandleSource
  range: ChartRange
  live: LivePrice | undefined
  decimals: number
  /** Shows spot instead; absent where there is none. */
  onSpot: (() => void) | undefined
  onPoint: (price: string | undefined) => void
}) {
  const line = usePriceLine(source, range)
  const { data: candles, dataUpdatedAt } = line
  const { value, time } = live ?? {}
  const points = useMemo(() => {
    const now = value === undefined ? undefined : { value, time: time ?? new Date(dataUpdatedAt).toISOString() }
    return candles && pointsOf(candles, now)
  }, [candles, value, time, dataUpdatedAt])
  if (!points)
    return line.isError ? (
      <ErrorState error={line.error} onRetry={line.refetch} />
    ) : (
      <Pending>
        <Line label={label} points={POINTS} decimals={decimals} onPoint={() => {}} />
      </Pending>
    )
  if (points.length === 0) return <NoPrices onSpot={onSpot} />
  return (
    <div className="relative">
      {line.isError && (
        <span className="absolute top-8 left-2 z-4 rounded-full bg-ground">
          <Badge tone="warning">{m.ui_stale()}</Badge>
        </span>
      )}
      <Line label={label} points={points} decimals={decimals} onPoint={onPoint} />
    </div>
  )
}

/** @param points one at least. */
export function Line({
  label,
  points,
  decimals,
  onPoint,
}: {
  label: string
  points: readonly ChartPoint[]
  decimals: number
  onPoint: (price: string | undefined) => void
}) {
  return (
    <TimeChart
      label={label}
      points={points}
      height={LINE_HEIGHT}
      formatValue={(text) => formatPrice(text, decimals)}
      few={<FewPrices price={formatPrice(points.at(-1)?.value ?? '', decimals)} count={points.length} />}
      onPoint={(point) => onPoint(point?.value)}
    />
  )
}

/** Too few prices for a line or candles. */
export function FewPrices({ price, count }: { price: string; count: number }) {
  return (
    <p role="status" className="rounded-card bg-surface p-4 text-muted">
      {m.market_few_prices({ price, count })}
    </p>
  )
}

/** A pool without trades has no prices. */
export function NoPrices({ onSpot }: { onSpot: (() => void) | undefined }) {
  return (
    <EmptyState
      icon="chart-no-axes-combined"
      title={m.market_no_candles()}
      text={m.market_no_candles_text()}
      action={
        onSpot && (
          <Button look="quiet" onClick={onSpot}>
            {m.market_show_spot()}
          </Button>
        )
      }
    />
  )
}
