import {
  AreaSeries,
  ColorType,
  CrosshairMode,
  createChart,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  TickMarkType,
  type UTCTimestamp,
} from 'lightweight-charts'
import { type DrawnPoint, drawnPoints, type Gap } from './chart-points.ts'
import { type ChartTheme, chartTheme, followColorMode } from './chart-theme.ts'
import { formatMoment, formatTimeMark, type TimeMark } from './time-axis.ts'
import { axisDecimals, formatAxisValue } from './value-axis.ts'

/** What is drawn. Candles become one more member of this union. */
export interface ChartSeries {
  readonly type: 'area' | 'line'
  readonly points: readonly (DrawnPoint | Gap)[]
}

export interface DrawOptions {
  /** Without it nothing on the drawing says how much something is. */
  readonly showsValues: boolean
}

/** A drawing in its element, which is this module's alone: the one that knows the library. */
export interface Drawing {
  show(series: ChartSeries, options: DrawOptions): void
  /** The moment, in seconds, that is drawn at a distance from the element's start. */
  secondsAt(x: number): number | undefined
  /** Moves the crosshair to a point, or takes it away. */
  point(at: DrawnPoint | undefined): void
  remove(): void
}

const FONT_PX = 12
const MARKS: Record<TickMarkType, TimeMark> = {
  [TickMarkType.Year]: 'year',
  [TickMarkType.Month]: 'month',
  [TickMarkType.DayOfMonth]: 'day',
  [TickMarkType.Time]: 'time',
  [TickMarkType.TimeWithSeconds]: 'time',
}

/**
 * Draws into an element, in the colours that it stands in, and follows their changes and the element's size. It takes no
 * gesture: who draws decides what a finger does.
 */
export function drawChart(element: HTMLElement, type: ChartSeries['type']): Drawing {
  const chart = createChart(element, {
    autoSize: true,
    layout: {
      // It would bring a <style> that our policy refuses. The attribution stands under the chart and on About us.
      attributionLogo: false,
      background: { type: ColorType.Solid, color: 'transparent' },
      fontSize: FONT_PX,
    },
    handleScroll: false,
    handleScale: false,
    grid: { vertLines: { visible: false } },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.12, bottom: 0.08 } },
    timeScale: {
      borderVisible: false,
      fixLeftEdge: true,
      fixRightEdge: true,
      timeVisible: true,
      secondsVisible: false,
      allowBoldLabels: false,
    },
    crosshair: { mode: CrosshairMode.Magnet },
    localization: { timeFormatter: (seconds: number) => formatMoment(seconds) },
  })
  const series = addSeries(chart, type)
  const paint = () => {
    const theme = chartTheme(element)
    chart.applyOptions(chartColors(theme))
    series.applyOptions(seriesColors(type, theme))
  }
  paint()
  const unfollow = followColorMode(paint)
  const show = ({ points }: ChartSeries, { showsValues }: DrawOptions) => {
    const span = (points.at(-1)?.seconds ?? 0) - (points[0]?.seconds ?? 0)
    chart.applyOptions({
      rightPriceScale: { visible: showsValues },
      crosshair: { horzLine: { visible: showsValues, labelVisible: showsValues } },
      timeScale: {
        tickMarkFormatter: (seconds: number, mark: TickMarkType) => formatTimeMark(seconds, MARKS[mark], span),
      },
    })
    series.applyOptions({ priceFormat: valueAxis(drawnPoints(points).map(heightOf)) })
    series.setData(points.map(drawn))
    chart.timeScale().fitContent()
  }
  return {
    show,
    secondsAt: (x) => timeAt(chart, x),
    point(at) {
      if (at) chart.setCrosshairPosition(heightOf(at), at.seconds as UTCTimestamp, series)
      else chart.clearCrosshairPosition()
    },
    remove() {
      unfollow()
      chart.remove()
    },
  }
}

function addSeries(chart: IChartApi, type: ChartSeries['type']): ISeriesApi<'Area'> | ISeriesApi<'Line'> {
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
  return point.value === null ? { time } : { time, value: heightOf({ value: point.value }) }
}

function valueAxis(heights: readonly number[]) {
  const decimals = axisDecimals(heights)
  const formatter = (value: number) => formatAxisValue(value, decimals)
  return { type: 'custom', minMove: 10 ** -decimals, formatter } as const
}

/** A height on the screen, not money: what is said in figures comes from the point's own text. */
function heightOf({ value }: { value: string }): number {
  return Number(value)
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

function chartColors(theme: ChartTheme) {
  const line = { color: theme.edge, style: LineStyle.Dotted, labelBackgroundColor: theme.label }
  return {
    layout: { textColor: theme.text, fontFamily: theme.fontFamily },
    grid: { horzLines: { color: theme.line } },
    crosshair: { vertLine: line, horzLine: line },
  }
}

function seriesColors(type: ChartSeries['type'], theme: ChartTheme) {
  switch (type) {
    case 'area':
      return { lineColor: theme.accent, topColor: theme.accentFaint, bottomColor: theme.accentNone }
    case 'line':
      return { color: theme.accent }
  }
}
