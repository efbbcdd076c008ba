import type { Clock } from './clock.ts'
import { repeat } from './repeat.ts'

const CHECK_MS = 10_000
/** Two clocks that differ by less agree. Also the most that a jump can change unnoticed. */
const TOLERANCE_MS = 2_000

export interface TrustedClock extends Clock {
  /** Compares the clocks now. */
  check(): Promise<void>
  start(): void
  stop(): Promise<void>
}

/**
 * A clock that two of three witnesses agree on: the clock of this machine, the time that has passed since the last check, and
 * the clock of the database, which all servers share. A jump of one of them has no effect and is reported; a jump that a second
 * one confirms (after a machine was suspended, for example) is followed.
 *
 * @param elapsedMs milliseconds since any moment, from a source that cannot be set.
 * @param readWitness reads the clock of the database.
 * @param onStep receives a sentence for each difference, once until it ends.
 */
export async function openTrustedClock({
  system,
  elapsedMs,
  readWitness,
  onStep,
  onError,
}: {
  readonly system: Clock
  readonly elapsedMs: () => number
  readonly readWitness: () => Promise<Date>
  readonly onStep: (error: Error) => void
  readonly onError: (error: unknown) => void
}): Promise<TrustedClock> {
  /** The trusted time at a moment. */
  let anchor = { timeMs: 0, elapsedMs: 0 }
  let reported: string | undefined
  const follow = (timeMs: number) => {
    anchor = { timeMs, elapsedMs: elapsedMs() }
  }
  const estimateMs = () => anchor.timeMs + elapsedMs() - anchor.elapsedMs

  function report(text: string | undefined, differenceMs = 0): void {
    // The same difference a little later is not news.
    const key = text && `${text} ${Math.round(differenceMs / TOLERANCE_MS)}`
    if (key !== undefined && key !== reported) onStep(new Error(`${text}: ${seconds(differenceMs)}`))
    reported = key
  }

  async function check(): Promise<void> {
    const sentMs = elapsedMs()
    const witnessMs = (await readWitness()).getTime()
    const systemMs = system.now().getTime()
    // The database read its clock at some moment in between.
    const slackMs = elapsedMs() - sentMs
    // There is no earlier time to compare with: the clock that all servers share wins.
    if (!anchor.timeMs) follow(witnessMs)
    if (agree(systemMs, witnessMs, slackMs)) {
      const stepMs = systemMs - estimateMs()
      if (!agree(stepMs, 0, slackMs)) report('the clock stepped together with that of the database', stepMs)
      else report(undefined)
      return follow(systemMs)
    }
    const differenceMs = systemMs - witnessMs
    if (agree(estimateMs(), witnessMs, slackMs))
      return report("this server's clock jumped and is not followed; ahead of the database by", differenceMs)
    report("this server's clock and the clock of the database contradict each other; ahead of it by", differenceMs)
  }

  await check()
  const timer = repeat({ run: check, everyMs: CHECK_MS, onError })
  return {
    now() {
      const systemMs = system.now().getTime()
      const expectedMs = estimateMs()
      if (agree(systemMs, expectedMs)) {
        follow(systemMs)
        return new Date(systemMs)
      }
      timer.wake()
      return new Date(Math.round(expectedMs))
    },
    check,
    start: timer.start,
    stop: timer.stop,
  }
}

function agree(oneMs: number, otherMs: number, slackMs = 0): boolean {
  return Math.abs(oneMs - otherMs) < TOLERANCE_MS + slackMs
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(0)} s`
}
