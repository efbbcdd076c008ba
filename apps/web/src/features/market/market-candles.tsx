import { cx } from '@clearwell/ui/browser/cx.ts'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { CANDLE_CHART_HEIGHT, CandleChart } from '@clearwell/ui/components/chart/candle-chart.tsx'
import type { CandleFormats } from '@clearwell/ui/components/chart/candle-figures.tsx'
import { withLivePrice } from '@clearwell/ui/components/chart/candles.ts'
import { MIN_CHART_POINTS } from '@clearwell/ui/components/chart/chart-points.ts'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { useMemo } from 'react'
import { m } from '../../generated/messages.ts'
import { type CandleInterval, type CandleSource, useCandles } from './candles.queries.ts'
import { CANDLES } from './market.samples.ts'
import { FewPrices, type LivePrice, NoPrices } from './price-line.tsx'

const SECONDS: Record<CandleInterval, number> = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3_600,
  '4h': 14_400,
  '1d': 86_400,
}

/** The candles of an interval; the last one follows the price. */
export function MarketCandles({
  label,
  source,
  interval,
  live,
  base,
  decimals,
  onSpot,
  onPoint,
}: {
  label: string
  source: CandleSource
  interval: CandleInterval
  live: LivePrice | undefined
  base: string
  decimals: number
  /** Shows spot instead; absent where there is none. */
  onSpot: (() => void) | undefined
  onPoint: (price: string | undefined) => void
}) {
  const { query, older } = useCandles(source, interval)
  const known = query.data?.candles
  const { value, time } = live ?? {}
  const candles = useMemo(() => {
    if (!known || value === undefined) return known
    const seconds = time === undefined ? undefined : Date.parse(time) / 1000
    return withLivePrice(known, { value, seconds }, SECONDS[interval])
  }, [known, value, time, interval])
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
      <Pending>
        <CandleChart label={label} candles={CANDLES} formats={formats} />
      </Pending>
    )
  const last = candles.at(-1)
  if (!last) return <NoPrices onSpot={onSpot} />
  if (candles.length < MIN_CHART_POINTS)
    return <FewPrices price={formatPrice(last.close, decimals)} count={candles.length} />
  return (
    <div className="relative">
      {query.isError && (
        <span className="absolute top-12 left-2 z-4 rounded-full bg-ground">
          <Badge tone="warning">{m.ui_stale()}</Badge>
        </span>
      )}
      <CandleChart
        label={label}
        candles={candles}
        older={older}
        formats={formats}
        onPoint={(candle) => onPoint(candle?.close)}
      />
    </div>
  )
}
