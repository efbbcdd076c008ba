/** What a key does on a chart of candles. */
export type CandleMove =
  | { readonly type: 'point'; readonly index: number }
  | { readonly type: 'leave' }
  | { readonly type: 'zoom'; readonly factor: number }

/** One step of the zoom: a quarter more or less. */
export const ZOOM_STEP = 1.25

/**
 * What a key asks for: the candle beside, ten further, the first or the last; fewer or more of them; none. `undefined`:
 * the key is none of ours.
 *
 * @param current the candle at the crosshair; without one, the first key goes to the last candle, which is now.
 */
export function candleMove(key: string, current: number | undefined, count: number): CandleMove | undefined {
  const from = current ?? count
  const to = (index: number): CandleMove => ({ type: 'point', index: Math.min(Math.max(index, 0), count - 1) })
  switch (key) {
    case 'ArrowLeft':
      return to(from - 1)
    case 'ArrowRight':
      return to(from + 1)
    case 'PageDown':
      return to(from - 10)
    case 'PageUp':
      return to(from + 10)
    case 'Home':
      return to(0)
    case 'End':
      return to(count - 1)
    case '+':
    case '=':
      return { type: 'zoom', factor: 1 / ZOOM_STEP }
    case '-':
      return { type: 'zoom', factor: ZOOM_STEP }
    case 'Escape':
      return current === undefined ? undefined : { type: 'leave' }
    default:
      return undefined
  }
}
