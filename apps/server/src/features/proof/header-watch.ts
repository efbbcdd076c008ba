import type { Queryable } from '@clearwell/ledger/database'
import { type HeaderTimeRow, isDayOld, isTooOld, provenAt, readHeaderTimes } from '../../platform/ledger/header-age.ts'
import type { Report } from '../../platform/log/report.ts'
import type { Clock } from '../../platform/time/clock.ts'

/** Half an hour before trading stops, the alarm is raised, in milliseconds. */
const ALARM_AGE_MS = 90 * 60 * 1_000
/** While it lasts, one alarm is raised in this time. */
const REMIND_MS = 60_000

type HeaderTimes = Pick<HeaderTimeRow, 'made_at' | 'root_made_at'>
/** Before the first look, and where no headers are made. */
const NO_HEADER: HeaderTimes = { made_at: null, root_made_at: null }

/** Watches the age of the header that both stops count from, by the same row and clock as the writer. */
export interface HeaderWatch {
  /** Reads the row. @param isLeader only the leader raises the alarm. */
  check(isLeader: boolean): Promise<void>
  /** Seconds since the header that counts was made; `undefined` where none is counted. */
  readonly ageSeconds: () => number | undefined
  /** Seconds since the newest signed header was made, also where the one on the chain counts. */
  readonly signedAgeSeconds: () => number | undefined
  /** False while trading is stopped. */
  readonly isRecent: () => boolean
  /** True while repaying and adding collateral have to stop as well. */
  readonly isDayOld: () => boolean
}

export function createHeaderWatch(db: Queryable, clock: Pick<Clock, 'now'>, onError: Report): HeaderWatch {
  let times = NO_HEADER
  let remindAtMs = 0
  const ageMs = (madeAt: Date | null | undefined) => (madeAt ? clock.now().getTime() - madeAt.getTime() : undefined)
  const seconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1_000)
  return {
    async check(isLeader) {
      times = (await readHeaderTimes(db)) ?? NO_HEADER
      const age = ageMs(provenAt(times))
      const nowMs = clock.now().getTime()
      if (!isLeader || age === undefined || age < ALARM_AGE_MS || nowMs < remindAtMs) return
      remindAtMs = nowMs + REMIND_MS
      const state = isTooOld(provenAt(times), clock.now()) ? 'trading is stopped' : 'trading stops after 120'
      onError(new Error(`${describeSilence(times, ageMs)}: ${state}`), 'header age')
    },
    ageSeconds: () => seconds(ageMs(provenAt(times))),
    signedAgeSeconds: () => seconds(ageMs(times.made_at)),
    isRecent: () => !isTooOld(provenAt(times), clock.now()),
    isDayOld: () => isDayOld(provenAt(times), clock.now()),
  }
}

/** Says whether headers lack signatures, or signed ones do not reach the vault. */
function describeSilence(times: HeaderTimes, ageMs: (madeAt: Date | null | undefined) => number | undefined) {
  const minutes = (madeAt: Date | null | undefined) => Math.floor((ageMs(madeAt) ?? 0) / 60_000)
  if (!times.root_made_at) return `no header was signed for ${minutes(times.made_at)} minutes`
  return `the newest header on the vault is ${minutes(times.root_made_at)} minutes old, the newest signed one ${minutes(times.made_at)}`
}
