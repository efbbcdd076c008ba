import { CANDLE_CHART_HEIGHT } from '../../components/chart/candle-chart.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'

/** The room of candles while they load: figures, drawing, controls and attribution. */
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
