import type { Posting } from './entry-hash.ts'
import type { Table } from './table.ts'

// biome-ignore lint/suspicious/noExplicitAny: a table of any row type; each use infers its own.
export type AnyTable = Table<any>

/** What a decision can see: committed state, and what commands before it in the same batch have changed. */
export interface State {
  /** Base units in an account; zero for an account that was never used. */
  balance(account: string, asset: string): bigint
  row<Row extends { readonly id: string }>(table: Table<Row>, id: string): Row | undefined
}

/** What a decision may know of the world, fixed when the command is taken. */
export interface Context {
  readonly now: Date
  /** Unique, unguessable, and the same each time this command is decided again. `label` tells several apart. */
  id(label: string): string
}

export interface EntryDraft {
  readonly kind: string
  /** What it belongs to: an order id, a transaction hash. */
  readonly reference: string
  /** Two or more, summing to zero for each asset. */
  readonly postings: readonly Posting[]
}

export interface RowWrite {
  readonly table: AnyTable
  readonly row: { readonly id: string }
}

/** A row to write, checked against its table. */
export function write<Row extends { readonly id: string }>(table: Table<Row>, row: Row): RowWrite {
  return { table, row }
}

/** What a command will do: all of it or nothing. */
export interface Plan<Answer> {
  readonly entries?: readonly EntryDraft[]
  readonly rows?: readonly RowWrite[]
  /** Plain JSON: it is stored for the idempotency key and answered again as it is. */
  readonly answer: Answer
}

/** Names a balance or a row. */
export type StateKey =
  | { readonly account: string; readonly asset: string }
  | { readonly table: AnyTable; readonly id: string }

/** A change that is asked of the ledger. */
export interface Command<Answer> {
  readonly kind: string
  /** Whose idempotency keys these are: a user id, or the name of a job. */
  readonly owner: string
  /** The client's idempotency key, where it sent one. */
  readonly key?: string | undefined
  /** What the client asked for, in plain JSON: the same key with another payload is refused. */
  readonly payload: unknown
  /** Keys to load before `decide`. A hint that saves round trips: a missing key is loaded when `decide` reads it. */
  readonly preload: readonly StateKey[]
  /**
   * Decides. Pure: same state and context, same plan; it may be run several times and must not act.
   *
   * @throws Refusal when the rules do not allow it. Anything else thrown is a bug of this command alone.
   */
  decide(state: State, context: Context): Plan<Answer>
}
