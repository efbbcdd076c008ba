import { m } from '../../generated/messages.ts'
import { IconButton } from '../icon-button.tsx'

/** The two views of a chart that has candles. The line is the first one. */
export type ChartView = 'line' | 'candles'

/** Switches a chart between its line and its candles. */
export function ChartViewButton({ view, onView }: { view: ChartView; onView: (view: ChartView) => void }) {
  const isLine = view === 'line'
  return (
    <IconButton
      icon={isLine ? 'chart-candlestick' : 'chart-spline'}
      label={isLine ? m.chart_show_candles() : m.chart_show_line()}
      className="size-13! bg-input light:bg-line"
      onClick={() => onView(isLine ? 'candles' : 'line')}
    />
  )
}
