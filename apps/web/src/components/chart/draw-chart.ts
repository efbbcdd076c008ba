import { AreaSeries, type IChartApi, type ISeriesApi, LineSeries, type UTCTimestamp } from 'lightweight-charts'
import { type DrawnPoint, drawnPoints, type Gap } from './chart-points.ts'
import type { ChartTheme } from './chart-theme.ts'
import { createDrawing, heightOf, markFormatter, paint, valueAxis } from './drawing.ts'
import { axisDecimals } from './value-axis.ts'

/** Values that are drawn as one line. */
export interface ChartSeries {
  readonly type: 'area' | 'line'
  readonly points: readonly (DrawnPoint | Gap)[]
}

export interface DrawOptions {
  /** Without it nothing on the drawing says how much something is. */
  readonly showsValues: boolean
}

/** A drawing in its element, which is this module's alone. */
export interface Drawing {
  show(series: ChartSeries, options: DrawOptions): void
  /** The moment, in seconds, that is drawn at a distance from the element's start. */
  secondsAt(x: number): number | undefined
  /** Moves the crosshair to a point, or takes it away. */
  point(at: DrawnPoint | undefined): void
  remove(): void
}

/**
 * Draws into an element, in the colours that it stands in, and follows their changes and the element's size. It takes no
 * gesture: who draws decides what a finger does.
 */
export function drawChart(element: HTMLElement, type: ChartSeries['type']): Drawing {
  const chart = createDrawing(element, {
    handleScroll: false,
    handleScale: false,
    timeScale: { fixLeftEdge: true, fixRightEdge: true },
    rightPriceScale: { scaleMargins: { top: 0.12, bottom: 0.08 } },
  })
  const series = addLine(chart, type)
  const unfollow = paint(element, chart, (theme) => series.applyOptions(lineColors(type, theme)))
  const show = ({ points }: ChartSeries, { showsValues }: DrawOptions) => {
    const span = (points.at(-1)?.seconds ?? 0) - (points[0]?.seconds ?? 0)
    chart.applyOptions({
      rightPriceScale: { visible: showsValues },
      crosshair: { horzLine: { visible: showsValues, labelVisible: showsValues } },
      timeScale: { tickMarkFormatter: markFormatter(span) },
    })
    series.applyOptions({
      priceFormat: valueAxis(axisDecimals(drawnPoints(points).map(({ value }) => heightOf(value)))),
    })
    series.setData(points.map(drawn))
    chart.timeScale().fitContent()
  }
  return {
    show,
    secondsAt: (x) => timeAt(chart, x),
    point(at) {
      if (at) chart.setCrosshairPosition(heightOf(at.value), at.seconds as UTCTimestamp, series)
      else chart.clearCrosshairPosition()
    },
    remove() {
      unfollow()
      chart.remove()
    },
  }
}

function addLine(chart: IChartApi, type: ChartSeries['type']): ISeriesApi<'Area'> | ISeriesApi<'Line'> {
  const options = { lineWidth: 2, priceLineVisible: false, lastValueVisible: false } as const
  switch (type) {
    case 'area':
      return chart.addSeries(AreaSeries, options)
    case 'line':
      return chart.addSeries(LineSeries, options)
  }
}

function drawn(point: DrawnPoint | Gap) {
  const time = point.seconds as UTCTimestamp
  return point.value === null ? { time } : { time, value: heightOf(point.value) }
}

/** Beside the points it is the first or the last of them. */
function timeAt(chart: IChartApi, x: number): number | undefined {
  const scale = chart.timeScale()
  const seconds = scale.coordinateToTime(x)
  if (seconds !== null) return seconds as number
  const range = scale.getVisibleRange()
  if (!range) return undefined
  return (x <= 0 ? range.from : range.to) as number
}

function lineColors(type: ChartSeries['type'], theme: ChartTheme) {
  switch (type) {
    case 'area':
      return { lineColor: theme.accent, topColor: theme.accentFaint, bottomColor: theme.accentNone }
    case 'line':
      return { color: theme.accent }
  }
}
