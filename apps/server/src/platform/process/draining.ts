/** The time between the signal to stop and the end: the server goes on serving while load balancers turn away from it. */
export interface Draining {
  readonly isDraining: () => boolean
  /** Drains for the configured time. A second call waits for the same drain. */
  run(): Promise<void>
  /** Ends a drain that is in progress. Returns false if none is. */
  cutShort(): boolean
}

/** @param ms how long a drain lasts, in milliseconds. */
export function createDraining(ms: number): Draining {
  let drained: Promise<void> | undefined
  let end: (() => boolean) | undefined

  function start(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => end?.(), ms)
      end = () => {
        clearTimeout(timer)
        end = undefined
        resolve()
        return true
      }
    })
  }

  return {
    isDraining: () => drained !== undefined,
    run: () => (drained ??= ms > 0 ? start() : Promise.resolve()),
    cutShort: () => end?.() ?? false,
  }
}
