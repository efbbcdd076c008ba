import type { Admission, Admitted, State, StateKey } from '@clearwell/ledger/command'
import type { Queryable } from '@clearwell/ledger/database'
import { column, defineWriterTable, forever, type RowOf } from '@clearwell/ledger/table'
import { DAY_MS } from '@clearwell/rules/spans'
import { refusal } from './refuse.ts'

/** The age of the header by which an exit pays at which trading stops, in milliseconds. */
const MAX_HEADER_AGE_MS = 2 * 60 * 60 * 1_000

/**
 * When the headers were made that both stops count from. The row decides alone, so a server that starts again knows the same. See
 * `repayment-stop.ts` for who writes it.
 */
export const headerTimes = defineWriterTable('header_times', forever('one row'), {
  id: column.text,
  /** Of the newest signed header. Before the first signature: of the first header that was recorded. null where no headers are made. */
  made_at: column.optional(column.time),
  /**
   * Of the header in the newest root of the vault, with a vault with exits. Before the first root: of the first header that was
   * recorded for the vault. null without such a vault: then the signed header counts.
   */
  root_made_at: column.optional(column.time),
  /** The row of this root in `posted_roots`; null before the first one. */
  root_id: column.optional(column.text),
})
export type HeaderTimeRow = RowOf<typeof headerTimes>

const LAST = 'last'

/** The key that {@link refuseUnproven} reads. */
export const HEADER_TIME = { table: headerTimes, id: LAST } as const satisfies StateKey

/**
 * Stops the commands of users while the header by which an exit pays is old: it does not know them. A new command is refused unless it
 * says `worksStopped` or `worksUnproven`.
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
 * Refuses while the header that counts is old: for a decision that trades for a user under another owner.
 *
 * @throws Refusal `trading_suspended` with the reason `no_header`.
 */
export function refuseUnproven(state: State, now: Date): void {
  if (isTooOld(provenAt(state.row(headerTimes, LAST)), now)) throw refusal('trading_suspended', { reason: 'no_header' })
}

/**
 * Returns when the header was made that both stops count from: the newest one on the chain, or the newest signed one without a vault with exits.
 *
 * @returns `undefined` where no headers are made: then nothing stops.
 */
export function provenAt(row: Pick<HeaderTimeRow, 'made_at' | 'root_made_at'> | undefined): Date | undefined {
  return row?.root_made_at ?? row?.made_at ?? undefined
}

/** @param madeAt of the header that counts; absent: nothing stops. */
export function isTooOld(madeAt: Date | undefined, now: Date): boolean {
  return madeAt !== undefined && now.getTime() - madeAt.getTime() > MAX_HEADER_AGE_MS
}

/** @param madeAt of the header that counts; absent: nothing stops. */
export function isDayOld(madeAt: Date | undefined, now: Date): boolean {
  return madeAt !== undefined && now.getTime() - madeAt.getTime() > DAY_MS
}

/** Reads the row for a display. Decisions use {@link refuseUnproven} instead. */
export async function readHeaderTimes(db: Queryable): Promise<HeaderTimeRow | undefined> {
  return (await headerTimes.load(db, [LAST]))[0]
}
