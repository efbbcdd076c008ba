import { NotReady } from '@clearwell/ledger/writer'

/** Something that is looked at again and again, one look after the other. */
export interface Repeated {
  start(): void
  /** Ends once the look that is under way has ended. */
  stop(): Promise<void>
  /** Looks now, after what is under way. Throws what went wrong, which a look of the timer tells `onError`. */
  now(): Promise<void>
  /** Tells `onError`, unless it was the last that was told: once, and not at each look. */
  report(error: unknown): void
}

export function repeat({
  look,
  everyMs,
  onError,
}: {
  readonly look: () => Promise<void>
  /** From the end of one look to the beginning of the next. */
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}): Repeated {
  let running: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let reported: string | undefined

  function now(): Promise<void> {
    const turn = running.then(look)
    running = turn.catch(() => {})
    return turn
  }

  function report(error: unknown): void {
    // The database is away or another server writes now: the next look finds out.
    if (error instanceof NotReady) return
    const message = error instanceof Error ? error.message : String(error)
    if (message !== reported) onError(error)
    reported = message
  }

  async function tick(): Promise<void> {
    try {
      await now()
      reported = undefined
    } catch (error) {
      report(error)
    }
  }

  function schedule(): void {
    if (!stopped) timer = setTimeout(() => void tick().finally(schedule), everyMs)
  }

  return {
    start: schedule,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
    now,
    report,
  }
}
