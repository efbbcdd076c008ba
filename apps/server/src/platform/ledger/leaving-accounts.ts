import type { Admission, Admitted, State, StateKey } from '@clearwell/ledger/command'
import type { Queryable } from '@clearwell/ledger/database'
import { column, daysAfter, defineWriterTable, forever, type RowOf } from '@clearwell/ledger/table'
import type { AssetId } from '@clearwell/money/asset'
import { DAY_MS } from '@clearwell/rules/spans'
import { userAccount } from './accounts.ts'
import { readFreeze } from './frozen-accounts.ts'
import { refusal } from './refuse.ts'

/**
 * `requested`: on the chain, not confirmed. `open`: the watcher's cursor has passed the request. `cancelling`: cancelled, and the cursor has
 * not passed that. `closed`: the account is open again.
 */
const EXIT_STATES = ['requested', 'open', 'cancelling', 'closed'] as const
export type ExitState = (typeof EXIT_STATES)[number]

/** The assets that the vault can pay. */
export const LEAVING_ASSETS = ['BNB', 'USDT', 'ETH'] as const satisfies readonly AssetId[]

/** Exits of accounts from the vault: at most one row for each account. Every state but `closed` stops its commands. */
export const exits = defineWriterTable(
  'exits',
  daysAfter('the account was open again: its owner and the operator can look it up meanwhile', {
    days: 90,
    condition: "state = 'closed' and not owes and changed_at < $1",
  }),
  {
    /** The account's address in lower case. */
    id: column.user('keeps'),
    state: column.oneOf(EXIT_STATES),
    /** The time of the newest request, by its block. */
    exit_at: column.time,
    /** The block of that request. */
    block: column.units,
    changed_at: column.time,
    /** The account owes an advance, also when its exit is over. */
    owes: column.boolean,
    /** The vault of that request, in lower case: the ledger can have left it since. null in rows of an earlier version. */
    vault: column.optional(column.text),
  },
)
export type ExitRow = RowOf<typeof exits>

/** Requests and cancels behind the watcher's cursor: the history that {@link exits} does not keep. */
export const exitActs = defineWriterTable(
  'exit_acts',
  forever('public acts on the chain, booked once; each cost its account gas'),
  {
    /** Chain, transaction and log index. */
    id: column.text,
    user_id: column.user('keeps'),
    kind: column.oneOf(['request', 'cancel'] as const),
    /** A request: the time of its block. A cancel: when it was booked. */
    at: column.time,
    tx_hash: column.text,
    block: column.units,
    log_index: column.bigint,
    /** A reorganisation removed it from the chain. */
    is_void: column.boolean,
  },
)

/** After a request, its owner may repay and add collateral for so long: a day before the base of the exit is fixed. */
export const FIRST_DAYS_MS = 5 * DAY_MS

/**
 * Refuses the commands of accounts that leave, in the writer, so that no server and no call can pass one by. A new command is refused
 * unless it says `worksLeaving`.
 */
export const refuseLeaving: Admission = {
  keyOf: keyOfAccount,
  admit(command, state, { now }) {
    if (!keyOfAccount(command)) return
    const row = state.row(exits, command.owner)
    if (!row) return
    if (row.state === 'closed') {
      if (row.owes && hasAvailable(state, row.id)) throw refusal('account_is_leaving', { reason: 'advance_owed' })
      return
    }
    if (command.worksLeaving === 'at_first' && now.getTime() < row.exit_at.getTime() + FIRST_DAYS_MS) return
    throw refusal('account_is_leaving')
  },
}

/** An advance is taken back before the account can use what it gets: within seconds, or when its other assets have a price again. */
function hasAvailable(state: State, userId: string): boolean {
  return LEAVING_ASSETS.some((asset) => state.balance(userAccount(userId, 'available'), asset) > 0n)
}

/** Commands of jobs and of the operator are owned by a name. */
function keyOfAccount({ owner, worksLeaving }: Pick<Admitted, 'owner' | 'worksLeaving'>): StateKey | undefined {
  return owner.startsWith('0x') && worksLeaving !== 'always' ? leavingKey(owner) : undefined
}

/** The key that {@link isLeaving} reads. */
export function leavingKey(userId: string): StateKey {
  return { table: exits, id: userId }
}

/** Returns whether an account leaves or owes an advance, for a decision that acts for it under another owner. */
export function isLeaving(state: State, userId: string): boolean {
  const row = state.row(exits, userId)
  return row !== undefined && (row.state !== 'closed' || row.owes)
}

/** Reads the exit of an account; `undefined` if it never asked for one, or is open again. Decisions use {@link isLeaving} instead. */
export async function readOpenExit(db: Queryable, userId: string): Promise<ExitRow | undefined> {
  const text = `select ${exits.columns} from exits where id = $1 and state <> 'closed'`
  return (await db.query<ExitRow>(text, [userId]))[0]
}

/** Reads whether an account is frozen, or leaves. */
export async function readIsStopped(db: Queryable, userId: string, now: Date): Promise<boolean> {
  return (await readFreeze(db, userId, now)) !== undefined || (await readOpenExit(db, userId)) !== undefined
}

/** Every rule must let a command pass. */
export function eachAdmission(...admissions: readonly Admission[]): Admission {
  return {
    keyOf: (command) => admissions.flatMap((each) => [each.keyOf(command) ?? []].flat()),
    admit(command, state, context) {
      for (const each of admissions) each.admit(command, state, context)
    },
  }
}
