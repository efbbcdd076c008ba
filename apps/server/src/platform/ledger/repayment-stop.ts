import { type Command, type RowWrite, type State, type StateKey, write } from '@clearwell/ledger/command'
import type { Queryable } from '@clearwell/ledger/database'
import { column, defineWriterTable, forever, type RowOf } from '@clearwell/ledger/table'
import { DAY_MS } from '@clearwell/rules/spans'
import { HEADER_TIME, type HeaderTimeRow, headerTimes, isDayOld, provenAt } from './header-age.ts'
import { refusal } from './refuse.ts'

/**
 * A day after the header by which an exit pays, repaying and adding collateral stop too: an account that leaves could otherwise make
 * all that it has collateral that the vault's root does not know, and be paid the old balance. A borrower must not lose by this, so a
 * repayment time that passes meanwhile moves.
 */

/** After the stop, a borrower has this long to repay, in milliseconds. */
const TIME_TO_REPAY_MS = DAY_MS

/** The last time in which repaying and adding collateral stopped. It is carried: a restore moves the same repayment times. */
export const repaymentStops = defineWriterTable(
  'repayment_stops',
  forever('one row'),
  {
    id: column.text,
    stopped_from: column.time,
    /** null while they are stopped. */
    stopped_until: column.optional(column.time),
  },
  { carried: 'always' },
)
type StopRow = RowOf<typeof repaymentStops>

const LAST = 'last'

/** The key that {@link readStop} reads. */
export const REPAYMENT_STOP = { table: repaymentStops, id: LAST } as const satisfies StateKey

/** The keys that {@link writeHeaderTimes} reads. */
export const HEADER_KEYS: readonly StateKey[] = [HEADER_TIME, REPAYMENT_STOP]

/** The last time in which repaying and adding collateral stopped. */
export interface RepaymentStop {
  readonly from: Date
  /** `undefined` while they are stopped. */
  readonly until: Date | undefined
}

/** Returns the last stop; `undefined` if there was none. Preload {@link REPAYMENT_STOP}. */
export function readStop(state: State): RepaymentStop | undefined {
  return stopOf(state.row(repaymentStops, LAST))
}

/** Reads the last stop for a display. Decisions use {@link readStop} instead. */
export async function loadStop(db: Queryable): Promise<RepaymentStop | undefined> {
  return stopOf((await repaymentStops.load(db, [LAST]))[0])
}

/** @throws Refusal `trading_suspended` with the reason `no_header_day` while repaying and adding collateral are stopped. */
export function refuseStopped(state: State): void {
  if (isOpen(readStop(state))) throw refusal('trading_suspended', { reason: 'no_header_day' })
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
 * Writes when headers were made: the newest signed one, or the one in the vault's newest root. If the header that counts is less
 * than a day old then, a stop of repaying ends. Preload {@link HEADER_KEYS}.
 *
 * @param changes the fields that are other now.
 */
export function writeHeaderTimes(
  state: State,
  changes: Partial<Omit<HeaderTimeRow, 'id'>>,
  now: Date,
): readonly RowWrite[] {
  const { made_at = null, root_made_at = null, root_id = null } = state.row(headerTimes, LAST) ?? {}
  const row = { id: LAST, made_at, root_made_at, root_id, ...changes }
  const stop = readStop(state)
  const ends = stop !== undefined && isOpen(stop) && !isDayOld(provenAt(row), now)
  return [write(headerTimes, row), ...(ends ? [stopRow({ stopped_from: stop.from, stopped_until: now })] : [])]
}

/** Lets trading go on where the operator has turned headers off. Changes nothing where none was ever made. */
export function forgetHeaderTimes(): Command<null> {
  return {
    kind: 'forget_header_time',
    owner: 'proofs',
    payload: {},
    preload: HEADER_KEYS,
    decide(state, { now }) {
      if (!provenAt(state.row(headerTimes, LAST))) return { response: null }
      return {
        rows: writeHeaderTimes(state, { made_at: null, root_made_at: null, root_id: null }, now),
        response: null,
      }
    },
  }
}

/**
 * Notes that the header that counts is over a day old. Until it is noted, repaying works, so nothing moves for that time.
 *
 * @param sinceStart the server has just become the leader: users could not repay before, and the stop began a day after the header.
 */
export function noteSilence({ sinceStart }: { readonly sinceStart: boolean }): Command<{ stopped: boolean }> {
  return {
    kind: 'note_silence',
    owner: 'proofs',
    payload: {},
    preload: HEADER_KEYS,
    decide(state, { now }) {
      const madeAt = provenAt(state.row(headerTimes, LAST))
      if (!madeAt || isOpen(readStop(state)) || !isDayOld(madeAt, now)) return { response: { stopped: false } }
      const stopped_from = sinceStart ? new Date(madeAt.getTime() + DAY_MS) : now
      return { rows: [stopRow({ stopped_from, stopped_until: null })], response: { stopped: true } }
    },
  }
}

function stopRow(fields: Omit<StopRow, 'id'>): RowWrite {
  return write(repaymentStops, { id: LAST, ...fields })
}

function stopOf(row: StopRow | undefined): RepaymentStop | undefined {
  return row && { from: row.stopped_from, until: row.stopped_until ?? undefined }
}

function isOpen(stop: RepaymentStop | undefined): boolean {
  return stop !== undefined && stop.until === undefined
}
