import { cutDecimals } from '@clearwell/money/decimal'
import {
  CandlestickSeries,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  LineStyle,
  type UTCTimestamp,
} from 'lightweight-charts'
import { type CrosshairEvents, createCrosshair } from './candle-crosshair.ts'
import { createRangeControl, rangeOptions } from './candle-range.ts'
import { type Candle, type CandleRange, changedFrom, secondsOf } from './candles.ts'
import { type ChartTheme, createDrawing, heightOf, paint, valueAxis } from './drawing.ts'

export interface CandleOptions {
  /** Of prices. */
  readonly decimals: number
  /** Hides the axis of prices, with the label of the latest. */
  readonly isHidden?: boolean
}

/** Candles over their volume. */
export interface CandleDrawing {
  /** Starts at the latest candle; later the visible candles stay visible, also when older ones are added. */
  show(candles: readonly Candle[], options: CandleOptions): void
  point(candle: Candle | undefined): void
  bringIntoView(index: number): void
  /** @param around the candle that stays at the same position; without one, the latest visible. */
  zoom(factor: number, around?: number): void
  showLatest(): void
  remove(): void
}

export interface CandleEvents extends CrosshairEvents {
  readonly onRange: (range: CandleRange) => void
}

/** Width of the axis, for prices such as 95,123.45. Otherwise it would grow with the first candles and push them aside. */
const AXIS_PX = 76

/** Draws candles into an element and lets gestures move them. */
export function drawCandles(element: HTMLElement, { onPoint, onTap, onRange }: CandleEvents): CandleDrawing {
  const isAnimated = !matchMedia('(prefers-reduced-motion: reduce)').matches
  const chart = createDrawing(element, {
    ...rangeOptions({ isAnimated }),
    rightPriceScale: { scaleMargins: { top: 0.06, bottom: 0.26 }, entireTextOnly: true, minimumWidth: AXIS_PX },
  })
  const series = createCandleSeries(chart)
  const stopPainting = paint(element, chart, series.paint)
  const range = createRangeControl(chart, { element, isAnimated, count: () => series.shown().length })
  const crosshair = createCrosshair(chart, {
    element,
    putOn: series.putCrosshairOn,
    visible: range.visible,
    onPoint,
    onTap,
  })
  chart.timeScale().subscribeVisibleLogicalRangeChange((next) => next && series.shown().length > 0 && onRange(next))
  let isFirst = true
  return {
    show(candles, options) {
      chart.applyOptions({ rightPriceScale: { visible: !options.isHidden } })
      series.show(candles, options)
      range.fit(candles.length)
      if (isFirst) range.startAtLatest()
      isFirst = false
    },
    point: crosshair.hold,
    bringIntoView(index) {
      const wanted = range.rangeShowing(index)
      crosshair.setComing(wanted !== undefined)
      if (wanted) range.set(wanted)
    },
    zoom: range.zoom,
    showLatest: range.scrollToLatest,
    remove() {
      range.remove()
      stopPainting()
      crosshair.remove()
      chart.remove()
    },
  }
}

/** The candles, their volumes and the line of the latest price. */
function createCandleSeries(chart: IChartApi) {
  const plain = { lastValueVisible: false, priceLineVisible: false } as const
  const volumes = chart.addSeries(HistogramSeries, { ...plain, priceScaleId: 'volume' })
  volumes.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } })
  const prices = chart.addSeries(CandlestickSeries, { ...plain, borderVisible: false })
  let shown: readonly Candle[] = []
  let decimals: number | undefined
  let theme: ChartTheme
  let line: IPriceLine | undefined

  const price = (candle: Candle) => priceBar(candle, decimals ?? 0, theme)
  const volume = (candle: Candle) => volumeBar(candle, theme)
  const setAll = () => {
    prices.setData(shown.map(price))
    volumes.setData(shown.map(volume))
  }
  const showLine = () => {
    const latest = latestLine(shown, decimals ?? 0, theme)
    if (!latest) return
    const next = { price: heightOf(latest.price), color: latest.color }
    if (line) line.applyOptions(next)
    else line = prices.createPriceLine({ ...next, lineWidth: 1, lineStyle: LineStyle.Dotted, axisLabelVisible: true })
  }

  return {
    shown: () => shown,
    paint(next: ChartTheme) {
      theme = next
      const { up, down } = theme
      prices.applyOptions({ upColor: up, wickUpColor: up, downColor: down, wickDownColor: down })
      setAll()
      showLine()
    },
    show(candles: readonly Candle[], options: CandleOptions) {
      const isFormatted = options.decimals !== decimals
      const from = isFormatted ? 'all' : changedFrom(shown, candles)
      shown = candles
      decimals = options.decimals
      if (isFormatted) prices.applyOptions({ priceFormat: valueAxis(decimals) })
      if (from === 'all') setAll()
      else
        for (const candle of shown.slice(from)) {
          prices.update(price(candle))
          volumes.update(volume(candle))
        }
      showLine()
    },
    putCrosshairOn(candle: Candle) {
      const { close, time } = price(candle)
      chart.setCrosshairPosition(close, time, prices)
    },
  }
}

/** Cut like the figures beside the chart, so that the axis shows the same latest price. */
function priceBar(candle: Candle, decimals: number, { text }: ChartTheme) {
  const height = (value: string) => heightOf(cutDecimals(value, decimals))
  const bar = {
    time: secondsOf(candle) as UTCTimestamp,
    open: height(candle.open),
    high: height(candle.high),
    low: height(candle.low),
    close: height(candle.close),
  }
  // Neither up nor down: most often an interval without a trade.
  return candle.open === candle.close ? { ...bar, color: text, wickColor: text } : bar
}

/** An interval without a trade has no volume bar: a bar of zero would be drawn as a line. */
function volumeBar(candle: Candle, { upFaint, downFaint }: ChartTheme) {
  const time = secondsOf(candle) as UTCTimestamp
  const value = heightOf(candle.volume)
  const isDown = heightOf(candle.close) < heightOf(candle.open)
  return value === 0 ? { time } : { time, value, color: isDown ? downFaint : upFaint }
}

/** The latest price, as the line across the chart and its label on the axis show it. */
interface LatestLine {
  /** Cut like the figures beside the chart. */
  readonly price: string
  readonly color: string
}

/** The line of the latest candle of all; the chart library's own label is for the latest visible one. */
export function latestLine(candles: readonly Candle[], decimals: number, theme: ChartTheme): LatestLine | undefined {
  const latest = candles.at(-1)
  if (!latest) return undefined
  const cut = (value: string) => cutDecimals(value, decimals)
  return { price: cut(latest.close), color: directionColor(latest, cut, theme) }
}

/** The colour of a candle: an unchanged price, most often an interval without a trade, has the colour of the axis. */
function directionColor(
  { open, close }: Candle,
  cut: (value: string) => string,
  { up, down, text }: ChartTheme,
): string {
  if (open === close) return text
  return heightOf(cut(close)) < heightOf(cut(open)) ? down : up
}
