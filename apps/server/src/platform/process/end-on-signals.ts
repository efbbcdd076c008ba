import type { EventEmitter } from 'node:events'
import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * A process manager that signals the whole group, and the start script that forwards the signal, deliver it twice. Only a
 * later signal comes from an impatient operator.
 */
const SAME_SIGNAL_MS = 500

/**
 * Stops the process on the first signal. A later one ends the drain, if there is one, and otherwise the process.
 *
 * @param stop resolves with the parts that did not stop in time.
 * @param cutDrainShort ends the drain; returns false if there is none.
 * @param onLeft receives those parts before the process exits with code 1.
 */
export function endOnSignals(
  process: Pick<EventEmitter, 'on'> & { exit(code: number): unknown },
  {
    stop,
    cutDrainShort,
    onLeft,
  }: {
    stop: () => Promise<readonly string[]>
    cutDrainShort: () => boolean
    onLeft: (parts: readonly string[]) => void
  },
): void {
  let signalledMs: number | undefined
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (signalledMs === undefined) {
        signalledMs = performance.now()
        void stop().then((left) => {
          if (left.length > 0) onLeft(left)
          process.exit(left.length > 0 ? 1 : 0)
        })
      } else if (performance.now() - signalledMs > SAME_SIGNAL_MS) {
        if (!cutDrainShort()) process.exit(128 + constants.signals[signal])
        signalledMs = performance.now()
      }
    })
  }
}
