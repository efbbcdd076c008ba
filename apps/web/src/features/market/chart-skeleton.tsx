import { CANDLE_CHART_HEIGHT } from '@clearwell/ui/components/chart/candle-chart.tsx'
import { Skeleton } from '@clearwell/ui/components/skeleton.tsx'
import { Loading } from '@clearwell/ui/components/skeleton-shapes.tsx'

const BARS = ['h-1/3', 'h-1/2', 'h-2/5', 'h-3/5', 'h-3/4', 'h-1/2', 'h-2/3', 'h-4/5', 'h-3/5', 'h-3/4']

/** The room of candles while they load: figures, drawing and controls. */
export function CandlesSkeleton() {
  return (
    <Loading className="gap-2">
      <Skeleton className="my-0.5 h-3" />
      <Skeleton className="my-0.5 h-3" />
      <div className={`flex items-end justify-between gap-2 pb-8 ${CANDLE_CHART_HEIGHT}`}>
        {BARS.map((height, index) => (
          <Skeleton key={index} className={`w-3 rounded-chip! ${height}`} />
        ))}
      </div>
      <Skeleton className="h-13 w-44" />
    </Loading>
  )
}
