import type { Report } from '../log/report.ts'
/** A step of the shutdown: it ends one part that the start opened. */
export interface Ending {
  /** Names the part in the report of a shutdown that left something running. */
  readonly what: string
  readonly end: () => Promise<unknown>
  /** How long the shutdown waits for this step, in milliseconds. A second where absent. */
  readonly withinMs?: number
  /** Skips this step while an earlier part is still running: a lock must outlive the part that it protects. */
  readonly isLock?: boolean
}

const STEP_MS = 1_000

/** The time for the whole shutdown. Process managers kill what runs longer than ten seconds. */
export const SHUTDOWN_MS = 9_500

/**
 * Ends the parts, the last opened first. A part that does not end in time is left running and the next one is ended, so
 * that neither a silent database nor a silent node blocks the shutdown.
 *
 * @param withinMs time for all steps together. The limits of the single steps shrink with it.
 * @returns the parts that did not end.
 */
export async function endAll(
  endings: readonly Ending[],
  { withinMs = SHUTDOWN_MS, onError }: { withinMs?: number; onError: Report },
): Promise<readonly string[]> {
  const deadlineMs = performance.now() + withinMs
  const left: string[] = []
  for (const { what, end, withinMs: stepMs = STEP_MS, isLock = false } of endings.toReversed()) {
    if (isLock && left.length > 0) {
      left.push(what)
      continue
    }
    const limitMs = Math.min(stepMs * (withinMs / SHUTDOWN_MS), deadlineMs - performance.now())
    const hasEnded = await isDoneWithin(limitMs, async () => {
      try {
        await end()
      } catch (error) {
        onError(error, `stopping: ${what}`)
      }
    })
    if (!hasEnded) left.push(what)
  }
  return left
}

async function isDoneWithin(ms: number, work: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, ms))
  })
  const isDone = await Promise.race([work().then(() => true), late])
  clearTimeout(timer)
  return isDone
}
