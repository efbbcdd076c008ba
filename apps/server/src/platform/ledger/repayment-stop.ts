import { type Command, type State, write } from '@clearwell/ledger/command'
import type { Queryable } from '@clearwell/ledger/database'
import { DAY_MS } from '@clearwell/rules/spans'
import { HEADER_TIME, type HeaderTimeRow, headerTimes, isDayOld } from './header-age.ts'
import { refusal } from './refuse.ts'

/**
 * A day after the newest signed header, repaying and adding collateral stop too: an account that leaves could otherwise make all that
 * it has collateral that the vault's root does not know, and be paid the old balance. A borrower must not lose by this, so a
 * repayment time that passes meanwhile moves.
 */

/** After the stop, a borrower has this long to repay, in milliseconds. */
const TIME_TO_REPAY_MS = DAY_MS

/** The last time in which repaying and adding collateral stopped. */
export interface RepaymentStop {
  readonly from: Date
  /** `undefined` while they are stopped. */
  readonly until: Date | undefined
}

/** Returns the last stop; `undefined` if there was none. Preload {@link HEADER_TIME}. */
export function readStop(state: State): RepaymentStop | undefined {
  return stopOf(state.row(headerTimes, HEADER_TIME.id))
}

/** Reads the last stop for a display. Decisions use {@link readStop} instead. */
export async function loadStop(db: Queryable): Promise<RepaymentStop | undefined> {
  return stopOf((await headerTimes.load(db, [HEADER_TIME.id]))[0])
}

/** @throws Refusal `trading_suspended` with the reason `no_header_day` while repaying and adding collateral are stopped. */
export function refuseStopped(state: State): void {
  const stop = readStop(state)
  if (stop && !stop.until) throw refusal('trading_suspended', { reason: 'no_header_day' })
}

/**
 * Returns when an order is due: a repayment time from the beginning of the stop until a day after it becomes that day's end. One
 * just after the stop moves as well, or the owner who had more time before would have less.
 */
export function dueAt(repaymentTime: Date, stop: RepaymentStop | undefined, now: Date): Date {
  if (!stop || repaymentTime < stop.from) return repaymentTime
  const due = new Date((stop.until ?? now).getTime() + TIME_TO_REPAY_MS)
  return due > repaymentTime ? due : repaymentTime
}

/**
 * Notes that the newest signed header is over a day old. Until it is noted, repaying works, so nothing moves for that time.
 *
 * @param sinceStart the server has just become the leader: users could not repay before, and the stop began a day after the header.
 */
export function noteSilence({ sinceStart }: { readonly sinceStart: boolean }): Command<{ stopped: boolean }> {
  return {
    kind: 'note_silence',
    owner: 'proofs',
    payload: {},
    preload: [HEADER_TIME],
    decide(state, { now }) {
      const row = state.row(headerTimes, HEADER_TIME.id)
      const madeAt = row?.made_at
      if (!madeAt || isStopped(row) || !isDayOld(madeAt, now)) return { response: { stopped: false } }
      const from = sinceStart ? new Date(madeAt.getTime() + DAY_MS) : now
      return {
        rows: [write(headerTimes, { ...row, stopped_from: from, stopped_until: null })],
        response: { stopped: true },
      }
    },
  }
}

function stopOf(row: HeaderTimeRow | undefined): RepaymentStop | undefined {
  if (!row?.stopped_from) return undefined
  return { from: row.stopped_from, until: row.stopped_until ?? undefined }
}

function isStopped(row: HeaderTimeRow): boolean {
  return stopOf(row) !== undefined && row.stopped_until === null
}
