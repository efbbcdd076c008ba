import type { Clock } from '../time/clock.ts'

const AGAIN_AFTER_MS = 60_000

/** Tells the operator of a fault at once, and of the same kind again after a minute at the earliest. */
export function createFaultLog(
  clock: Clock,
  onError: (error: unknown, doing: string) => void,
): (kind: string, error: unknown) => void {
  const toldMs = new Map<string, number>()
  return (kind, error) => {
    const nowMs = clock.now().getTime()
    if (nowMs - (toldMs.get(kind) ?? Number.NEGATIVE_INFINITY) < AGAIN_AFTER_MS) return
    toldMs.set(kind, nowMs)
    onError(error, kind)
  }
}
