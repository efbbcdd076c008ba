import type { CandleRange } from './candles.ts'

/** The crosshair of the chart library was drawn anew. */
export interface CrosshairDrawn {
  /** The pointer moved it there, and not the axis of time beneath it. */
  readonly byPointer: boolean
  /** It stands on the drawing; otherwise it left. */
  readonly isThere: boolean
}

/** The candle that keys or a tap put the crosshair on. */
export interface Held {
  /** Its place in the axis of time. */
  readonly index: number
  /** It is being brought into sight and need not be there yet. */
  readonly isComing: boolean
}

/**
 * What becomes of the crosshair, so that the figures above the drawing are always of the candle under it. Left alone it
 * stays at its place on the screen while the axis of time moves beneath: one of the pointer's is then at another candle
 * (`follow`), and one that is held has to be put on its own again (`hold`), unless that went out of sight (`release`).
 */
export function crosshairStep(
  { byPointer, isThere }: CrosshairDrawn,
  held: Held | undefined,
  inSight: CandleRange | undefined,
): 'follow' | 'hold' | 'release' | 'none' {
  if (byPointer) return 'follow'
  if (!isThere || !inSight) return 'none'
  if (!held) return 'follow'
  // With half of it, it is in sight.
  if (inSight.from - 0.5 <= held.index && held.index <= inSight.to + 0.5) return 'hold'
  return held.isComing ? 'none' : 'release'
}
