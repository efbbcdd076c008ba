import {
  type ChartOptions,
  ColorType,
  CrosshairMode,
  createChartEx,
  type DeepPartial,
  defaultHorzScaleBehavior,
  type IChartApi,
  type IHorzScaleBehavior,
  LineStyle,
  TickMarkType,
  type Time,
  type TimeScalePoint,
} from 'lightweight-charts'
import { type ChartTheme, chartTheme, followColorMode } from './chart-theme.ts'
import { formatMoment, formatTimeMark, type TimeMark, timeWeight } from './time-axis.ts'
import { formatAxisValue } from './value-axis.ts'

/** What all drawings have in common. Only this module, draw-chart.ts and draw-candles.ts know the library. */

const FONT_PX = 12
const MARKS: Record<TickMarkType, TimeMark> = {
  [TickMarkType.Year]: 'year',
  [TickMarkType.Month]: 'month',
  [TickMarkType.DayOfMonth]: 'day',
  [TickMarkType.Time]: 'time',
  [TickMarkType.TimeWithSeconds]: 'time',
}
/** The library's axis of time, but divided by the user's own days. */
class OwnZone extends defaultHorzScaleBehavior() {
  override fillWeightsForPoints(
    points: readonly { -readonly [Key in keyof TimeScalePoint]: TimeScalePoint[Key] }[],
    start: number,
  ): void {
    for (let index = Math.max(start, 1); index < points.length; index++) {
      const point = points[index]
      const before = points[index - 1]
      if (point && before)
        point.timeWeight = timeWeight(
          point.originalTime as number,
          before.originalTime as number,
        ) as typeof point.timeWeight
    }
  }
}

/** A drawing without a line on it yet, the same in all that we draw. */
export function createDrawing(element: HTMLElement, options: DeepPartial<ChartOptions>): IChartApi {
  const chart = createChartEx<Time, IHorzScaleBehavior<Time>>(element, new OwnZone(), {
    ...options,
    autoSize: true,
    layout: {
      // It would bring a <style> that our policy refuses. The attribution stands under the chart and on About us.
      attributionLogo: false,
      background: { type: ColorType.Solid, color: 'transparent' },
      fontSize: FONT_PX,
    },
    grid: { vertLines: { visible: false } },
    rightPriceScale: { ...options.rightPriceScale, borderVisible: false },
    timeScale: {
      ...options.timeScale,
      borderVisible: false,
      timeVisible: true,
      secondsVisible: false,
      allowBoldLabels: false,
    },
    crosshair: { mode: CrosshairMode.Magnet },
    localization: { timeFormatter: (seconds: number) => formatMoment(seconds) },
  })
  // The library's own createChart is just this, with its own axis of time.
  return chart as IChartApi
}

/** Paints in the colours that the element stands in, now and whenever they change. @returns what ends it. */
export function paint(element: HTMLElement, chart: IChartApi, paintSeries: (theme: ChartTheme) => void): () => void {
  const paintAll = () => {
    const theme = chartTheme(element)
    chart.applyOptions(chartColors(theme))
    paintSeries(theme)
  }
  paintAll()
  return followColorMode(paintAll)
}

/** Marks on the axis of time. @param span seconds from the first to the last point: see `formatTimeMark`. */
export function markFormatter(span = Number.POSITIVE_INFINITY) {
  return (seconds: Time, mark: TickMarkType) => formatTimeMark(seconds as number, MARKS[mark], span)
}

/** An axis of values with so many decimals. */
export function valueAxis(decimals: number) {
  const formatter = (value: number) => formatAxisValue(value, decimals)
  return { type: 'custom', minMove: 10 ** -decimals, formatter } as const
}

/** A height on the screen, not money: what is said in figures comes from the text itself. */
export function heightOf(value: string): number {
  return Number(value)
}

function chartColors(theme: ChartTheme) {
  const line = { color: theme.edge, style: LineStyle.Dotted, labelBackgroundColor: theme.label }
  return {
    layout: { textColor: theme.text, fontFamily: theme.fontFamily },
    grid: { horzLines: { color: theme.line } },
    crosshair: { vertLine: line, horzLine: line },
  }
}
