import type { AssetId } from '@clearwell/money/asset'
import { addDays, type HongKongDay } from '@clearwell/rules/hong-kong-day'
import type { ChartPoint } from '@clearwell/ui/components/chart/chart-points.ts'
import type { NodeIncome } from './node.queries.ts'

/** The income of one asset by day, oldest first. A day without a reward has none: it is 0, and not left out. */
export function incomePoints(series: NodeIncome['series'], asset: AssetId): ChartPoint[] {
  const [first, last] = [series[0]?.day, series.at(-1)?.day]
  if (first === undefined || last === undefined) return []
  const byDay = new Map(series.map(({ day, amounts }) => [day, amounts.find((each) => each.asset === asset)?.amount]))
  const points: ChartPoint[] = []
  for (let day = first as HongKongDay; day <= last; day = addDays(day, 1))
    // The user's own midnight, so that the chart writes this date.
    points.push({ time: new Date(`${day}T00:00:00`).toISOString(), value: byDay.get(day) ?? '0' })
  return points
}

/** The first moment of the day `days` days before a moment. */
export function rangeStart(days: number, now: Date): string {
  return new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10)
}
