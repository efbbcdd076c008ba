import { cutDecimals } from '@clearwell/money/decimal'
import { CandlestickSeries, HistogramSeries, type IPriceLine, LineStyle, type UTCTimestamp } from 'lightweight-charts'
import { type Candle, type CandleRange, changedFrom, secondsOf, withInSight, zoomed } from './candles.ts'
import type { ChartTheme } from './chart-theme.ts'
import { crosshairStep } from './crosshair.ts'
import { createDrawing, heightOf, markFormatter, paint, valueAxis } from './drawing.ts'
import { glide } from './glide.ts'
import { latestLine } from './latest-line.ts'

export interface CandleOptions {
  /** Of prices. */
  readonly decimals: number
}

/** Candles over their volume. A finger or the pointer moves them across, and the crosshair over them. */
export interface CandleDrawing {
  /** The first time it begins at the latest candle; then what is in sight stays in sight, also when older ones come. */
  show(candles: readonly Candle[], options: CandleOptions): void
  point(candle: Candle | undefined): void
  bringIntoSight(index: number): void
  /** @param around the candle that keeps its place; without one, the latest in sight. */
  zoom(factor: number, around?: number): void
  showLatest(): void
  remove(): void
}

export interface CandleEvents {
  /** The crosshair is at the candle that starts at this second now, or at none. */
  readonly onPoint: (seconds: number | undefined) => void
  /** A finger tapped on that candle; what that means is decided by who listens. */
  readonly onTap: (seconds: number) => void
  readonly onRange: (range: CandleRange) => void
}

const CANDLE_PX = 7
/** Candles of room between the latest and the axis. */
const ROOM = 3
/** Of the axis, for prices such as 95,123.45: it would grow with the first candles otherwise, and push them aside. */
const AXIS_PX = 76

/**
 * Draws candles into an element. Across is theirs; up and down scrolls the page, as everywhere, and so does a wheel that is
 * not pressed together with Ctrl, which is also how a touchpad says that it was pinched.
 */
export function drawCandles(element: HTMLElement, { onPoint, onTap, onRange }: CandleEvents): CandleDrawing {
  const moves = !matchMedia('(prefers-reduced-motion: reduce)').matches
  const chart = createDrawing(element, {
    handleScroll: { mouseWheel: false, pressedMouseMove: true, horzTouchDrag: true, vertTouchDrag: false },
    handleScale: { mouseWheel: false, pinch: true, axisPressedMouseMove: { time: true, price: false } },
    kineticScroll: { touch: moves, mouse: false },
    timeScale: {
      fixLeftEdge: true,
      barSpacing: CANDLE_PX,
      rightOffset: ROOM,
      minBarSpacing: 1,
      tickMarkFormatter: markFormatter(),
    },
    rightPriceScale: { scaleMargins: { top: 0.06, bottom: 0.26 }, entireTextOnly: true, minimumWidth: AXIS_PX },
  })
  const volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    lastValueVisible: false,
    priceLineVisible: false,
  })
  volumes.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } })
  const prices = chart.addSeries(CandlestickSeries, {
    borderVisible: false,
    lastValueVisible: false,
    priceLineVisible: false,
  })
  const scale = chart.timeScale()
  let shown: readonly Candle[] = []
  let options: CandleOptions | undefined
  let theme: ChartTheme
  let line: IPriceLine | undefined
  const price = (candle: Candle) => priceBar(candle, options?.decimals ?? 0, theme)
  const volume = (candle: Candle) => volumeBar(candle, theme)
  const showLine = () => {
    const latest = latestLine(shown, options?.decimals ?? 0, theme)
    if (!latest) return
    const next = { price: heightOf(latest.price), color: latest.color }
    if (line) line.applyOptions(next)
    else line = prices.createPriceLine({ ...next, lineWidth: 1, lineStyle: LineStyle.Dotted, axisLabelVisible: true })
  }
  const unfollow = paint(element, chart, (painted) => {
    theme = painted
    prices.applyOptions({ upColor: theme.up, wickUpColor: theme.up, downColor: theme.down, wickDownColor: theme.down })
    prices.setData(shown.map(price))
    volumes.setData(shown.map(volume))
    showLine()
  })
  /** Whatever else moves the candles ends the way to the latest. */
  let endGlide = () => {}
  const setRange = (range: CandleRange) => {
    endGlide()
    scale.setVisibleLogicalRange(range)
  }
  const range = (): CandleRange | undefined => scale.getVisibleLogicalRange() ?? undefined
  const zoom = (factor: number, around = shown.length - 1) => {
    const now = range()
    if (now) setRange(zoomed(now, factor, Math.min(around, now.to)))
  }
  scale.subscribeVisibleLogicalRangeChange((next) => next && shown.length > 0 && onRange(next))
  let held: Candle | undefined
  let isComing = false
  const putOn = (candle: Candle) => chart.setCrosshairPosition(price(candle).close, price(candle).time, prices)
  chart.subscribeCrosshairMove(({ time, point, sourceEvent }) => {
    const index = held && scale.timeToIndex(secondsOf(held) as UTCTimestamp, true)
    const own = typeof index === 'number' ? { index, isComing } : undefined
    const step = crosshairStep({ byPointer: sourceEvent !== undefined, isThere: point !== undefined }, own, range())
    if (step === 'hold' && held) {
      isComing = false
      putOn(held)
    } else if (step === 'release') {
      onPoint(undefined)
    } else if (step === 'follow') {
      held = undefined
      onPoint(time as number | undefined)
    }
  })
  let isTouch = false
  const press = (event: PointerEvent) => {
    isTouch = event.pointerType !== 'mouse'
    endGlide()
  }
  chart.subscribeClick(({ time }) => {
    if (isTouch && time !== undefined) onTap(time as number)
  })
  const leave = (event: PointerEvent) => event.pointerType === 'mouse' && onPoint(undefined)
  const wheel = (event: WheelEvent) => {
    const across = Math.abs(event.deltaX) > Math.abs(event.deltaY)
    if (!event.ctrlKey && !across) return
    event.preventDefault()
    endGlide()
    if (event.ctrlKey) zoom(event.deltaY > 0 ? 1.1 : 0.9, scale.coordinateToLogical(event.offsetX) ?? undefined)
    else scale.scrollToPosition(scale.scrollPosition() + event.deltaX / scale.options().barSpacing, false)
  }
  element.addEventListener('pointerdown', press)
  element.addEventListener('pointerleave', leave)
  element.addEventListener('wheel', wheel, { passive: false })
  return {
    show(candles, next) {
      const isFirst = options === undefined
      const isFormatted = next.decimals !== options?.decimals
      const from = isFormatted ? 'all' : changedFrom(shown, candles)
      shown = candles
      options = next
      if (isFormatted) prices.applyOptions({ priceFormat: valueAxis(next.decimals) })
      if (from === 'all') {
        prices.setData(shown.map(price))
        volumes.setData(shown.map(volume))
      } else {
        for (const candle of shown.slice(from)) {
          prices.update(price(candle))
          volumes.update(volume(candle))
        }
      }
      showLine()
      // Held at the left edge, a few candles would stand far from the axis that names the latest price.
      scale.applyOptions({ fixLeftEdge: candles.length * CANDLE_PX > scale.width() })
      if (isFirst) scale.scrollToPosition(ROOM, false)
    },
    point(candle) {
      held = candle
      if (candle) return putOn(candle)
      isComing = false
      chart.clearCrosshairPosition()
    },
    bringIntoSight(index) {
      const now = range()
      const wanted = now && withInSight(now, index)
      isComing = wanted !== undefined && wanted.from !== now?.from
      if (wanted && isComing) setRange(wanted)
    },
    zoom,
    showLatest() {
      endGlide()
      const onStep = (place: number) => scale.scrollToPosition(place, false)
      if (moves) endGlide = glide({ from: scale.scrollPosition(), to: ROOM, onStep })
      else onStep(ROOM)
    },
    remove() {
      endGlide()
      unfollow()
      element.removeEventListener('pointerdown', press)
      element.removeEventListener('pointerleave', leave)
      element.removeEventListener('wheel', wheel)
      chart.remove()
    },
  }
}

/** Cut as the figures beside the chart are, so that the axis names the last price as they do. */
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

/** An interval without a trade has no volume, and not one of nothing, which would be drawn as a line. */
function volumeBar(candle: Candle, { upFaint, downFaint }: ChartTheme) {
  const time = secondsOf(candle) as UTCTimestamp
  const value = heightOf(candle.volume)
  const isDown = heightOf(candle.close) < heightOf(candle.open)
  return value === 0 ? { time } : { time, value, color: isDown ? downFaint : upFaint }
}
