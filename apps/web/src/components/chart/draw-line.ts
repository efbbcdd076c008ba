import { AreaSeries, type IChartApi, type ISeriesApi, LineSeries, type UTCTimestamp } from 'lightweight-charts'
import { axisDecimals } from './chart-axes.ts'
import { type DrawnPoint, drawnPoints, type Gap } from './chart-points.ts'
import { type ChartTheme, createDrawing, heightOf, markFormatter, paint, valueAxis } from './drawing.ts'

/** Values drawn as one line. */
export interface ChartSeries {
  readonly type: 'area' | 'line'
  readonly points: readonly (DrawnPoint | Gap)[]
}

export interface DrawOptions {
  /** `false` hides the values of the axis and the crosshair. */
  readonly showsValues: boolean
}

/** A line in its element; only this module draws there. */
export interface LineDrawing {
  show(series: ChartSeries, options: DrawOptions): void
  /** The moment, in seconds, at a distance from the element's left edge. */
  secondsAt(x: number): number | undefined
  /** Moves the crosshair to a point, or removes it. */
  point(at: DrawnPoint | undefined): void
  remove(): void
}

/**
 * Draws a line into an element, in the colours of its theme, and follows its size. The drawing handles no gestures: the
 * caller decides what a finger does.
 */
export function drawLine(element: HTMLElement, type: ChartSeries['type']): LineDrawing {
  const chart = createDrawing(element, {
    handleScroll: false,
    handleScale: false,
    timeScale: { fixLeftEdge: true, fixRightEdge: true },
    rightPriceScale: { scaleMargins: { top: 0.12, bottom: 0.08 } },
  })
  const series = addLine(chart, type)
  const stopPainting = paint(element, chart, (theme) => series.applyOptions(lineColors(type, theme)))
  // Another width keeps the spacing of the points, and so would cut off the latest ones.
  chart.timeScale().subscribeSizeChange(() => chart.timeScale().fitContent())
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
      stopPainting()
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

/** Left of the first point it is the first, right of the last the last. */
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
