import type { Queryable } from '@clearwell/ledger/database'
import { isDayOld, isTooOld, readHeaderTime } from '../../platform/ledger/header-age.ts'
import type { Report } from '../../platform/log/report.ts'
import type { Clock } from '../../platform/time/clock.ts'

/** Half an hour before trading stops, the alarm is raised, in milliseconds. */
const ALARM_AGE_MS = 90 * 60 * 1_000
/** While it lasts, one alarm is raised in this time. */
const REMIND_MS = 60_000

/** Watches the age of the newest signed header, by the same row and clock as the writer. */
export interface HeaderWatch {
  /** Reads the row. @param isLeader only the leader raises the alarm. */
  check(isLeader: boolean): Promise<void>
  /** Seconds since the newest signed header was made; `undefined` where none is counted. */
  readonly ageSeconds: () => number | undefined
  /** False while trading is stopped. */
  readonly isRecent: () => boolean
  /** True while repaying and adding collateral have to stop as well. */
  readonly isDayOld: () => boolean
}

export function createHeaderWatch(db: Queryable, clock: Pick<Clock, 'now'>, onError: Report): HeaderWatch {
  let madeAt: Date | undefined
  let remindAtMs = 0
  const ageMs = () => madeAt && clock.now().getTime() - madeAt.getTime()
  return {
    async check(isLeader) {
      madeAt = await readHeaderTime(db)
      const age = ageMs()
      const nowMs = clock.now().getTime()
      if (!isLeader || age === undefined || age < ALARM_AGE_MS || nowMs < remindAtMs) return
      remindAtMs = nowMs + REMIND_MS
      const state = isTooOld(madeAt, clock.now()) ? 'trading is stopped' : 'trading stops after 120'
      onError(new Error(`no header was signed for ${Math.floor(age / 60_000)} minutes: ${state}`), 'header age')
    },
    ageSeconds() {
      const age = ageMs()
      return age === undefined ? undefined : age / 1_000
    },
    isRecent: () => !isTooOld(madeAt, clock.now()),
    isDayOld: () => isDayOld(madeAt, clock.now()),
  }
}
