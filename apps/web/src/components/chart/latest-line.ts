import { cutDecimals } from '@clearwell/money/decimal'
import type { Candle } from './candles.ts'
import type { ChartTheme } from './chart-theme.ts'

/** The price now, as the line across the chart and its label on the axis show it. */
export interface LatestLine {
  /** Cut as the figures beside the chart are. */
  readonly price: string
  readonly color: string
}

/** Of the latest candle of all, wherever one looks; the chart library's own label is of the latest in sight. */
export function latestLine(candles: readonly Candle[], decimals: number, theme: ChartTheme): LatestLine | undefined {
  const latest = candles.at(-1)
  if (!latest) return undefined
  const height = (value: string) => cutDecimals(value, decimals)
  return { price: height(latest.close), color: colorOf(latest, height, theme) }
}

/** As its candle is drawn: neither up nor down, most often an interval without a trade, has the colour of the axis. */
function colorOf({ open, close }: Candle, height: (value: string) => string, { up, down, text }: ChartTheme): string {
  if (open === close) return text
  // Directions, not money.
  return Number(height(close)) < Number(height(open)) ? down : up
}
