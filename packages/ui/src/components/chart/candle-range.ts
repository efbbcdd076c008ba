import type { ChartOptions, DeepPartial, IChartApi } from 'lightweight-charts'
import { type CandleRange, movedToShow, zoomed } from './candles.ts'
import { markFormatter } from './drawing.ts'

/** The visible range of a chart of candles: how gestures, keys and buttons move it. */

const CANDLE_PX = 7
/** Candles of room between the latest and the axis. */
const ROOM = 3
const GLIDE_MS = 400

/**
 * The options that let gestures move the range. Sideways moves the candles; up, down and the wheel scroll the page, as
 * everywhere.
 */
export function rangeOptions({ isAnimated }: { isAnimated: boolean }): DeepPartial<ChartOptions> {
  return {
    handleScroll: { mouseWheel: false, pressedMouseMove: true, horzTouchDrag: true, vertTouchDrag: false },
    handleScale: { mouseWheel: false, pinch: true, axisPressedMouseMove: { time: true, price: false } },
    kineticScroll: { touch: isAnimated, mouse: false },
    timeScale: {
      fixLeftEdge: true,
      barSpacing: CANDLE_PX,
      rightOffset: ROOM,
      minBarSpacing: 1,
      tickMarkFormatter: markFormatter(),
    },
  }
}

export interface RangeControl {
  visible(): CandleRange | undefined
  set(range: CandleRange): void
  /** The range after moving a candle into view; `undefined` where it already is. */
  rangeShowing(index: number): CandleRange | undefined
  /** @param around the candle that stays at the same position; without one, the latest visible. */
  zoom(factor: number, around?: number): void
  scrollToLatest(): void
  /** Starts at the latest candle. */
  startAtLatest(): void
  /** Adapts the left edge to the number of candles. */
  fit(count: number): void
  remove(): void
}

/** @param count the number of candles now. */
export function createRangeControl(
  chart: IChartApi,
  { element, isAnimated, count }: { element: HTMLElement; isAnimated: boolean; count: () => number },
): RangeControl {
  const scale = chart.timeScale()
  /** Any other move of the range stops the animation to the latest candle. */
  let stopGlide = () => {}
  const stop = () => stopGlide()
  const visible = (): CandleRange | undefined => scale.getVisibleLogicalRange() ?? undefined
  const set = (range: CandleRange) => {
    stopGlide()
    scale.setVisibleLogicalRange(range)
  }
  const zoom = (factor: number, around = count() - 1) => {
    const now = visible()
    if (now) set(zoomed(now, factor, Math.min(around, now.to)))
  }
  const wheel = (event: WheelEvent) => {
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY)
    // A touchpad reports a pinch as a wheel with Ctrl.
    if (!event.ctrlKey && !isSideways) return
    event.preventDefault()
    stopGlide()
    if (event.ctrlKey) zoom(event.deltaY > 0 ? 1.1 : 0.9, scale.coordinateToLogical(event.offsetX) ?? undefined)
    else scale.scrollToPosition(scale.scrollPosition() + event.deltaX / scale.options().barSpacing, false)
  }
  element.addEventListener('pointerdown', stop)
  element.addEventListener('wheel', wheel, { passive: false })
  return {
    visible,
    set,
    zoom,
    rangeShowing(index) {
      const now = visible()
      const wanted = now && movedToShow(now, index)
      return wanted && wanted.from !== now?.from ? wanted : undefined
    },
    scrollToLatest() {
      stopGlide()
      const onStep = (position: number) => scale.scrollToPosition(position, false)
      if (isAnimated) stopGlide = glide({ from: scale.scrollPosition(), to: ROOM, onStep })
      else onStep(ROOM)
    },
    startAtLatest: () => scale.scrollToPosition(ROOM, false),
    // Fixed to the left edge, a few candles would be far from the axis that names the latest price.
    fit: (candles) => scale.applyOptions({ fixLeftEdge: candles * CANDLE_PX > scale.width() }),
    remove() {
      stopGlide()
      element.removeEventListener('pointerdown', stop)
      element.removeEventListener('wheel', wheel)
    },
  }
}

/**
 * Animates from one position to another and ends exactly there at any frame rate. The chart library's own animation stops
 * a frame earlier, which is several candles off over a distance of hundreds.
 *
 * @param nextFrame calls back with the time in milliseconds; `cancelFrame` takes its return value.
 * @returns the function that stops the animation where it is.
 */
export function glide(
  { from, to, onStep }: { readonly from: number; readonly to: number; readonly onStep: (position: number) => void },
  nextFrame: (call: (nowMs: number) => void) => number = requestAnimationFrame,
  cancelFrame: (frame: number) => void = cancelAnimationFrame,
): () => void {
  let startMs: number | undefined
  const step = (nowMs: number) => {
    startMs ??= nowMs
    const progress = Math.min((nowMs - startMs) / GLIDE_MS, 1)
    if (progress < 1) frame = nextFrame(step)
    // Slower towards the end.
    onStep(progress < 1 ? to + (from - to) * (1 - progress) ** 3 : to)
  }
  let frame = nextFrame(step)
  return () => cancelFrame(frame)
}
