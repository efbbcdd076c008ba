import { HOUR_MS } from '@clearwell/rules/spans'
import type { NewestRoot } from '../../platform/chain/exit-vault.ts'
import type { Report } from '../../platform/log/report.ts'
import type { Clock } from '../../platform/time/clock.ts'

/** Trading stops, and the operator is called, when no root was posted for this long. */
const MOST_AGE_MS = 2 * HOUR_MS
const LEAST_GAS_HOURS = 7 * 24
/** An alarm that goes on is raised again after this time. */
const REMIND_MS = HOUR_MS

/** Knows the age of the newest root, and raises the alarms of posting. */
export interface RootWatch {
  /** Reads the newest root. */
  look(): Promise<void>
  /** In seconds; `undefined` before the first look. */
  readonly ageSeconds: number | undefined
  /** Raises an alarm for gas that suffices for less than a week. */
  noteGas(hours: number | undefined): void
  /** Raises an alarm for a fault that goes on: the same one once an hour. */
  note(message: string): void
}

export function watchRoots({
  newestRoot,
  clock,
  onError,
}: {
  readonly newestRoot: () => Promise<NewestRoot | undefined>
  readonly clock: Clock
  readonly onError: Report
}): RootWatch {
  let since: Date | undefined
  const remindAtMs = new Map<string, number>()

  /** @param what names the fault: its message may have figures. */
  function note(message: string, what = message): void {
    const nowMs = clock.now().getTime()
    if (nowMs < (remindAtMs.get(what) ?? 0)) return
    // One entry for each header that was refused would grow for ever.
    if (remindAtMs.size > 100) remindAtMs.clear()
    remindAtMs.set(what, nowMs + REMIND_MS)
    onError(new Error(message), 'roots')
  }

  const ageMs = () => (since ? Math.max(0, clock.now().getTime() - since.getTime()) : undefined)
  return {
    async look() {
      const newest = await newestRoot()
      since = newest?.postedAt ?? since ?? clock.now()
      if ((ageMs() ?? 0) >= MOST_AGE_MS)
        note(`no root was posted since ${since.toISOString()}: after 24 hours no money comes in or out`, 'age')
    },
    get ageSeconds() {
      const age = ageMs()
      return age === undefined ? undefined : age / 1_000
    },
    noteGas(hours) {
      if (hours !== undefined && hours < LEAST_GAS_HOURS)
        note(`the account that posts headers has gas for ${Math.floor(hours)} hours: send it the native coin`, 'gas')
    },
    note: (message) => note(message),
  }
}
