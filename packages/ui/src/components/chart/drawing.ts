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
import { formatAxisValue, formatMoment, formatTimeMark, type TimeMark, timeWeight } from './chart-axes.ts'

/** The common part of all drawings. Only this module and those that draw know the chart library. */

const FONT_PX = 12
const MARKS: Record<TickMarkType, TimeMark> = {
  [TickMarkType.Year]: 'year',
  [TickMarkType.Month]: 'month',
  [TickMarkType.DayOfMonth]: 'day',
  [TickMarkType.Time]: 'time',
  [TickMarkType.TimeWithSeconds]: 'time',
}
/** The library's time axis, but with days in the user's time zone. */
class LocalTimeAxis extends defaultHorzScaleBehavior() {
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

/** An empty drawing with the look of all our charts. */
export function createDrawing(element: HTMLElement, options: DeepPartial<ChartOptions>): IChartApi {
  const chart = createChartEx<Time, IHorzScaleBehavior<Time>>(element, new LocalTimeAxis(), {
    ...options,
    autoSize: true,
    layout: {
      // Its <style> breaks our content security policy. The attribution is under the chart and on About us.
      attributionLogo: false,
      background: { type: ColorType.Solid, color: 'transparent' },
      fontSize: FONT_PX,
    },
    grid: { vertLines: { visible: false }, horzLines: { visible: false } },
    rightPriceScale: { ...options.rightPriceScale, borderVisible: false },
    timeScale: {
      ...options.timeScale,
      borderVisible: false,
      timeVisible: true,
      secondsVisible: false,
      allowBoldLabels: false,
    },
    crosshair: { ...options.crosshair, mode: CrosshairMode.Magnet },
    localization: { timeFormatter: (seconds: number) => formatMoment(seconds) },
  })
  // The library's createChart does the same with its own time axis.
  return chart as IChartApi
}

/** Paints in the colours of the element's theme, now and when the theme changes. @returns the function that stops it. */
export function paint(element: HTMLElement, chart: IChartApi, paintSeries: (theme: ChartTheme) => void): () => void {
  const paintAll = () => {
    const theme = chartTheme(element)
    chart.applyOptions(chartColors(theme))
    paintSeries(theme)
  }
  paintAll()
  return followColorMode(paintAll)
}

/** Marks on the time axis. @param span seconds from the first to the last point: see `formatTimeMark`. */
export function markFormatter(span = Number.POSITIVE_INFINITY) {
  return (seconds: Time, mark: TickMarkType) => formatTimeMark(seconds as number, MARKS[mark], span)
}

/** A value axis with a number of decimals. */
export function valueAxis(decimals: number) {
  const formatter = (value: number) => formatAxisValue(value, decimals)
  return { type: 'custom', minMove: 10 ** -decimals, formatter } as const
}

/** A height on the screen, not money: figures are formatted from the text itself. */
export function heightOf(value: string): number {
  return Number(value)
}

function chartColors(theme: ChartTheme) {
  const line = { color: theme.text, style: LineStyle.Dotted, labelBackgroundColor: theme.label }
  return {
    layout: { textColor: theme.text, fontFamily: theme.fontFamily },
    crosshair: { vertLine: line, horzLine: line },
  }
}

/** The colours and font of a chart, from the page around it. */
export interface ChartTheme {
  readonly text: string
  readonly ground: string
  readonly accent: string
  /** Under the line of an area, fading to nothing. */
  readonly accentFaint: string
  readonly accentNone: string
  readonly up: string
  readonly down: string
  /** The volume behind the candles. */
  readonly upFaint: string
  readonly downFaint: string
  /** Behind the labels of the crosshair. */
  readonly label: string
  readonly fontFamily: string
}

/** The current theme of an element. A canvas cannot use CSS variables, so their values are read here. */
function chartTheme(element: Element): ChartTheme {
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(`--color-${name}`).trim()
  const accent = color('accent')
  const up = color('up')
  const down = color('down')
  return {
    text: color('muted'),
    ground: color('ground'),
    accent,
    accentFaint: withAlpha(accent, '40'),
    accentNone: withAlpha(accent, '00'),
    up,
    down,
    upFaint: withAlpha(up, '66'),
    downFaint: withAlpha(down, '66'),
    label: color('surface'),
    fontFamily: style.fontFamily,
  }
}

/** Calls `onChange` when the page changes its colour mode. @returns the function that stops it. */
function followColorMode(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-mode'] })
  return () => observer.disconnect()
}

/** A hex colour of three or six digits with an opacity of two hex digits. Other colours stay the same. */
export function withAlpha(color: string, alpha: string): string {
  const [, r, g, b] = /^#([\da-f])([\da-f])([\da-f])$/i.exec(color) ?? []
  if (r && g && b) return `#${r}${r}${g}${g}${b}${b}${alpha}`
  return /^#[\da-f]{6}$/i.test(color) ? `${color}${alpha}` : color
}
