import type { Admission, Command, State, StateKey } from '@clearwell/ledger/command'
import type { Queryable } from '@clearwell/ledger/database'
import { column, daysAfter, defineWriterTable, type RowOf } from '@clearwell/ledger/table'
import { refusal } from './refuse.ts'

/** Accounts that the operator has frozen, until a time. */
export const frozenAccounts = defineWriterTable(
  'frozen_accounts',
  daysAfter('the freeze ended', { days: 90, condition: 'ends_at < $1' }),
  {
    /** The account's address in lower case. */
    id: column.user('keeps'),
    frozen_at: column.time,
    /** Earlier than planned if persons of the operator ended it. */
    ends_at: column.time,
    /** Shown to the user. */
    reason: column.text,
  },
)

export type FrozenRow = RowOf<typeof frozenAccounts>

/**
 * Refuses the commands of frozen accounts in the writer, so that no server and no call can pass one by. A new command is refused unless
 * it says `worksStopped`; `worksFrozen` in the table of calls tells clients the same.
 */
export const refuseFrozen: Admission = {
  keyOf: keyOfAccount,
  admit(command, state, { now }) {
    if (keyOfAccount(command) && isFrozen(state, command.owner, now))
      throw refusal('not_available', { reason: 'frozen' })
  },
}

/** The key of the account that a command acts for. Commands of jobs and of the operator are owned by a name. */
function keyOfAccount({ owner, worksStopped }: Pick<Command<unknown>, 'owner' | 'worksStopped'>): StateKey | undefined {
  return owner.startsWith('0x') && !worksStopped ? frozenKey(owner) : undefined
}

/** The key that {@link isFrozen} reads. */
export function frozenKey(userId: string): StateKey {
  return { table: frozenAccounts, id: userId }
}

/** Returns whether an account is frozen, for a decision that acts for it under another owner. */
export function isFrozen(state: State, userId: string, now: Date): boolean {
  const row = state.row(frozenAccounts, userId)
  return row !== undefined && row.ends_at > now
}

/** Reads the freeze of an account that is in force. Decisions use {@link isFrozen} instead. */
export async function readFreeze(db: Queryable, userId: string, now: Date): Promise<FrozenRow | undefined> {
  const [row] = await db.query<FrozenRow>(
    `select ${frozenAccounts.columns} from frozen_accounts where id = $1 and ends_at > $2`,
    [userId, now],
  )
  return row
}
