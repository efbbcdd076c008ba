const DURATION_MS = 400

/**
 * Moves from one place to another in steps, the last of which is at the end itself, however far apart the frames are: the
 * chart library's own animation ends a frame before that, which over hundreds of candles is several of them.
 *
 * @param nextFrame calls back with the time in milliseconds; what it returns is for `cancelFrame`.
 * @returns what ends it where it is.
 */
export function glide(
  { from, to, onStep }: { readonly from: number; readonly to: number; readonly onStep: (place: number) => void },
  nextFrame: (call: (nowMs: number) => void) => number = requestAnimationFrame,
  cancelFrame: (frame: number) => void = cancelAnimationFrame,
): () => void {
  let startMs: number | undefined
  const step = (nowMs: number) => {
    startMs ??= nowMs
    const progress = Math.min((nowMs - startMs) / DURATION_MS, 1)
    if (progress < 1) frame = nextFrame(step)
    // Slower towards its end.
    onStep(progress < 1 ? to + (from - to) * (1 - progress) ** 3 : to)
  }
  let frame = nextFrame(step)
  return () => cancelFrame(frame)
}
