import type { IChartApi, UTCTimestamp } from 'lightweight-charts'
import { type Candle, type CandleRange, secondsOf } from './candles.ts'

/** The crosshair over candles: it follows the pointer, or stays on the candle that a key or a tap chose. */

/** The chart library drew the crosshair again. */
export interface CrosshairDrawn {
  /** The pointer moved it, and not the time axis under it. */
  readonly byPointer: boolean
  /** It is on the drawing; otherwise it left. */
  readonly isThere: boolean
}

/** The candle that keys or a tap put the crosshair on. */
export interface Held {
  /** Its index on the time axis. */
  readonly index: number
  /** It is being scrolled into view and may not be visible yet. */
  readonly isComing: boolean
}

/**
 * Decides how to react after the library drew the crosshair, so that the legend always shows the candle under it. The library keeps
 * the crosshair at its screen position while the time axis moves. A pointer's crosshair is then on another candle
 * (`follow`). A held one has to return to its candle (`hold`), unless that candle left the view (`release`).
 */
export function crosshairStep(
  { byPointer, isThere }: CrosshairDrawn,
  held: Held | undefined,
  visible: CandleRange | undefined,
): 'follow' | 'hold' | 'release' | 'none' {
  if (byPointer) return 'follow'
  if (!isThere || !visible) return 'none'
  if (!held) return 'follow'
  // A candle counts as visible with half of it.
  if (visible.from - 0.5 <= held.index && held.index <= visible.to + 0.5) return 'hold'
  return held.isComing ? 'none' : 'release'
}

export interface CrosshairControl {
  /** Puts the crosshair on a candle, or removes it. */
  hold(candle: Candle | undefined): void
  /** Sets whether the held candle is about to be scrolled into view. */
  setComing(isComing: boolean): void
  remove(): void
}

export interface CrosshairEvents {
  /** The crosshair is on the candle that starts at this second, or on none. */
  readonly onPoint: (seconds: number | undefined) => void
  /** A finger tapped on that candle. */
  readonly onTap: (seconds: number) => void
}

/** @param putOn moves the library's crosshair to a candle. */
export function createCrosshair(
  chart: IChartApi,
  {
    element,
    putOn,
    visible,
    onPoint,
    onTap,
  }: {
    element: HTMLElement
    putOn: (candle: Candle) => void
    visible: () => CandleRange | undefined
  } & CrosshairEvents,
): CrosshairControl {
  let held: Candle | undefined
  let isComing = false
  let isTouch = false

  chart.subscribeCrosshairMove(({ time, point, sourceEvent }) => {
    const index = held && chart.timeScale().timeToIndex(secondsOf(held) as UTCTimestamp, true)
    const own = typeof index === 'number' ? { index, isComing } : undefined
    const step = crosshairStep({ byPointer: sourceEvent !== undefined, isThere: point !== undefined }, own, visible())
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
  chart.subscribeClick(({ time }) => {
    if (isTouch && time !== undefined) onTap(time as number)
  })
  const press = (event: PointerEvent) => {
    isTouch = event.pointerType !== 'mouse'
  }
  const leave = (event: PointerEvent) => event.pointerType === 'mouse' && onPoint(undefined)
  element.addEventListener('pointerdown', press)
  element.addEventListener('pointerleave', leave)

  return {
    hold(candle) {
      held = candle
      if (candle) return putOn(candle)
      isComing = false
      chart.clearCrosshairPosition()
    },
    setComing(next) {
      isComing = next
    },
    remove() {
      element.removeEventListener('pointerdown', press)
      element.removeEventListener('pointerleave', leave)
    },
  }
}
