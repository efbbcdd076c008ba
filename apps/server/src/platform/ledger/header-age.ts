import {
  type Admission,
  type Admitted,
  type Command,
  type RowWrite,
  type State,
  type StateKey,
  write,
} from '@clearwell/ledger/command'
import type { Queryable } from '@clearwell/ledger/database'
import { column, defineWriterTable, forever, type RowOf } from '@clearwell/ledger/table'
import { DAY_MS } from '@clearwell/rules/spans'
import { refusal } from './refuse.ts'

/** The age of the newest signed header at which trading stops, in milliseconds: design of the exit, which pays by the last header. */
const MAX_HEADER_AGE_MS = 2 * 60 * 60 * 1_000

/** When the newest signed header was made. The row decides alone, so a server that starts again knows the same. */
export const headerTimes = defineWriterTable('header_times', forever('one row'), {
  id: column.text,
  /** Before the first signature: of the first header that was recorded. null where no headers are made: then nothing stops. */
  made_at: column.optional(column.time),
  /** The last time in which repaying and adding collateral stopped; null if they never did. See `repayment-stop.ts`. */
  stopped_from: column.optional(column.time),
  /** null while they are stopped. */
  stopped_until: column.optional(column.time),
})
export type HeaderTimeRow = RowOf<typeof headerTimes>

const LAST = 'last'

/** The key that {@link refuseUnproven} reads. */
export const HEADER_TIME = { table: headerTimes, id: LAST } as const satisfies StateKey

/**
 * Stops the commands of users while the newest signed header is old: an exit would pay by a header that does not know them. A new
 * command is refused unless it says `worksStopped` or `worksUnproven`.
 */
export const admitProven: Admission = {
  keyOf: (command) => (mustBeProven(command) ? HEADER_TIME : undefined),
  admit(command, state, { now }) {
    if (mustBeProven(command)) refuseUnproven(state, now)
  },
}

/** Commands of jobs and of the operator are owned by a name. */
function mustBeProven({ owner, worksStopped, worksUnproven }: Admitted): boolean {
  return owner.startsWith('0x') && !worksStopped && !worksUnproven
}

/**
 * Refuses while the newest signed header is old: for a decision that trades for a user under another owner.
 *
 * @throws Refusal `trading_suspended` with the reason `no_header`.
 */
export function refuseUnproven(state: State, now: Date): void {
  if (isTooOld(state.row(headerTimes, LAST)?.made_at, now)) throw refusal('trading_suspended', { reason: 'no_header' })
}

/** @param madeAt of the newest signed header; absent: nothing stops. */
export function isTooOld(madeAt: Date | null | undefined, now: Date): boolean {
  return madeAt != null && now.getTime() - madeAt.getTime() > MAX_HEADER_AGE_MS
}

/** Reads when the newest signed header was made. Decisions use {@link refuseUnproven} instead. */
export async function readHeaderTime(db: Queryable): Promise<Date | undefined> {
  const [row] = await db.query<{ made_at: Date | null }>('select made_at from header_times where id = $1', [LAST])
  return row?.made_at ?? undefined
}

/**
 * Writes when the newest signed header was made. One that is recent enough ends a stop of repaying.
 *
 * @param madeAt null where no headers are made any more.
 */
export function writeHeaderTime(state: State, madeAt: Date | null, now: Date): RowWrite {
  const { stopped_from = null, stopped_until = null } = state.row(headerTimes, LAST) ?? {}
  const ends = stopped_from !== null && stopped_until === null && !isDayOld(madeAt, now)
  return write(headerTimes, { id: LAST, made_at: madeAt, stopped_from, stopped_until: ends ? now : stopped_until })
}

/** @param madeAt of the newest signed header; absent: no headers are made. */
export function isDayOld(madeAt: Date | null | undefined, now: Date): boolean {
  return madeAt != null && now.getTime() - madeAt.getTime() > DAY_MS
}

/** Lets trading go on where the operator has turned headers off. Changes nothing where none was ever made. */
export function forgetHeaderTime(): Command<null> {
  return {
    kind: 'forget_header_time',
    owner: 'proofs',
    payload: {},
    preload: [HEADER_TIME],
    decide(state, { now }) {
      const row = state.row(headerTimes, LAST)
      return row?.made_at ? { rows: [writeHeaderTime(state, null, now)], response: null } : { response: null }
    },
  }
}
