import { MINUTE_MS } from '@clearwell/rules/spans'
import type { NewestRoot } from '../../platform/chain/exit-vault.ts'
import type { Report } from '../../platform/log/report.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { createReminder } from './remind.ts'

/** The operator is called when no root was posted for this long: half an hour before trading stops. */
const MOST_AGE_MS = 90 * MINUTE_MS
const LEAST_GAS_HOURS = 7 * 24

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
  const note = createReminder(clock, onError, 'roots')
  const ageMs = () => (since ? Math.max(0, clock.now().getTime() - since.getTime()) : undefined)
  return {
    async look() {
      const newest = await newestRoot()
      since = newest?.postedAt ?? since ?? clock.now()
      if ((ageMs() ?? 0) >= MOST_AGE_MS)
        note(
          `no root was posted since ${since.toISOString()}: after 2 hours trading stops, after 24 hours no money comes in or out`,
          'age',
        )
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
