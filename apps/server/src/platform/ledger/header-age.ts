import type { Admission, Admitted, Command, State, StateKey } from '@clearwell/ledger/command'
import type { Queryable } from '@clearwell/ledger/database'
import { column, defineWriterTable, forever } from '@clearwell/ledger/table'
import { refusal } from './refuse.ts'

/** The age of the newest signed header at which trading stops, in milliseconds: design of the exit, which pays by the last header. */
const MAX_HEADER_AGE_MS = 2 * 60 * 60 * 1_000

/** When the newest signed header was made. The row decides alone, so a server that starts again knows the same. */
export const headerTimes = defineWriterTable('header_times', forever('one row'), {
  id: column.text,
  /** Before the first signature: of the first header that was recorded. null where no headers are made: then nothing stops. */
  made_at: column.optional(column.time),
})

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

/** Lets trading go on where the operator has turned headers off. Changes nothing where none was ever made. */
export function forgetHeaderTime(): Command<null> {
  return {
    kind: 'forget_header_time',
    owner: 'proofs',
    payload: {},
    preload: [HEADER_TIME],
    decide: (state) =>
      state.row(headerTimes, LAST)?.made_at
        ? { rows: [{ table: headerTimes, row: { id: LAST, made_at: null } }], response: null }
        : { response: null },
  }
}
