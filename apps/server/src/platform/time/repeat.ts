import { NotReady } from '@clearwell/ledger/writer'

/** A task that is run repeatedly, one run at a time. */
export interface Repeated {
  /** Starts the timer. A second call changes nothing. */
  start(): void
  /** Resolves once the run in progress has ended. */
  stop(): Promise<void>
  /** Runs now, after the run in progress. Throws what went wrong; runs of the timer report it to `onError`. */
  now(): Promise<void>
  /** Has the timer run `gapMs` after the beginning of its last run, or immediately if that is over. */
  wake(): void
  /** Passes an error to `onError`, unless it repeats the last one: once per fault, not once per run. */
  report(error: unknown): void
}

export function repeat({
  run,
  everyMs,
  gapMs = 0,
  onError,
}: {
  readonly run: () => Promise<void>
  /** From the end of one run to the beginning of the next. */
  readonly everyMs: number
  /** The same when woken, at least. */
  readonly gapMs?: number
  readonly onError: (error: unknown) => void
}): Repeated {
  let running: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let state: 'new' | 'started' | 'stopped' = 'new'
  let isTicking = false
  let isWoken = false
  let ranMs = Number.NEGATIVE_INFINITY
  const faults = createFaultReport(onError)

  function now(): Promise<void> {
    const turn = running.then(run)
    running = turn.catch(() => {})
    return turn
  }

  async function tick(): Promise<void> {
    isWoken = false
    isTicking = true
    ranMs = performance.now()
    try {
      await now()
      faults.end()
    } catch (error) {
      faults.report(error)
    } finally {
      isTicking = false
      schedule(isWoken ? gapMs : everyMs)
    }
  }

  function schedule(delayMs: number): void {
    clearTimeout(timer)
    if (state === 'started') timer = setTimeout(() => void tick(), delayMs)
  }

  return {
    start() {
      if (state !== 'new') return
      state = 'started'
      schedule(everyMs)
    },
    async stop() {
      state = 'stopped'
      clearTimeout(timer)
      await running
    },
    now,
    wake() {
      if (isWoken) return
      isWoken = true
      if (!isTicking) schedule(Math.max(0, gapMs - (performance.now() - ranMs)))
    },
    report: faults.report,
  }
}

/** Reports each fault once until it ends. */
function createFaultReport(onError: (error: unknown) => void) {
  let reported: string | undefined
  return {
    report(error: unknown): void {
      // The database is away or another server writes now: the next run finds out.
      if (error instanceof NotReady) return
      const message = error instanceof Error ? error.message : String(error)
      if (message !== reported) onError(error)
      reported = message
    },
    end(): void {
      reported = undefined
    },
  }
}
