import type { Posting } from './entry-hash.ts'
import type { WriterTable } from './table.ts'

// biome-ignore lint/suspicious/noExplicitAny: a table of any row type; each use infers its own.
export type AnyWriterTable = WriterTable<any>

/** State that a decision can read: committed state and the changes of earlier commands in the same batch. */
export interface State {
  /** Base units in an account; zero for an account that was never used. */
  balance(account: string, asset: string): bigint
  row<Row extends { readonly id: string }>(table: WriterTable<Row>, id: string): Row | undefined
  /** The rows of several ids, in their order. The missing ones are loaded together, not one after another. */
  rows<Row extends { readonly id: string }>(table: WriterTable<Row>, ids: readonly string[]): (Row | undefined)[]
}

/** Time and ids for a decision, fixed when the writer accepts the command. */
export interface Context {
  /** The time by which deadlines are judged. An entry may be later: it never precedes the entry before it. */
  readonly now: Date
  /** Unique, unguessable, and the same each time this command is decided again. `label` distinguishes several ids. */
  id(label: string): string
}

export interface EntryDraft {
  readonly kind: string
  /** An order id or a transaction hash. */
  readonly reference: string
  /** Two or more, summing to zero for each asset. */
  readonly postings: readonly Posting[]
}

export interface RowWrite {
  readonly table: AnyWriterTable
  readonly row: { readonly id: string }
}

/** Checks a row to write against its table's type. */
export function write<Row extends { readonly id: string }>(table: WriterTable<Row>, row: Row): RowWrite {
  return { table, row }
}

/** Changes that a command makes: all of them or none. */
export interface Plan<Result> {
  readonly entries?: readonly EntryDraft[]
  readonly rows?: readonly RowWrite[]
  /** Plain JSON: stored for the idempotency key and returned unchanged for a repeated request. */
  readonly response: Result
}

/** Names a balance or a row. */
export type StateKey =
  | { readonly account: string; readonly asset: string }
  | { readonly table: AnyWriterTable; readonly id: string }

/** A request to change the ledger. */
export interface Command<Result> {
  readonly kind: string
  /** Owner of the idempotency key: a user id, or the name of a job. */
  readonly owner: string
  /** Works for an owner whose commands are stopped: it takes no money out and only makes their position better. */
  readonly worksStopped?: true
  /** Works while the newest proof of the ledger is old: what each account owns stays the same. */
  readonly worksUnproven?: true
  /** Works for an owner who leaves: always, or in the first days after the request. */
  readonly worksLeaving?: 'always' | 'at_first'
  /** The client's idempotency key, if it sent one. */
  readonly key?: string | undefined
  /** The client's input, in plain JSON: the same key with another payload is refused. */
  readonly payload: unknown
  /** Keys to load before `decide`. A hint that saves round trips: a missing key is loaded when `decide` reads it. */
  readonly preload: readonly StateKey[]
  /**
   * Decides the plan. Pure: the same state and context give the same plan. It may run several times and must have no side
   * effects.
   *
   * @throws Refusal when the rules do not allow it. Anything else thrown is a bug of this command alone.
   */
  decide(state: State, context: Context): Plan<Result>
}

/** The fields of a command that an {@link Admission} sees. */
export type Admitted = Pick<Command<unknown>, 'owner' | 'worksStopped' | 'worksUnproven' | 'worksLeaving'>

/** A rule that every command meets before its decision, whichever server it came from, such as one that stops an account. */
export interface Admission {
  /** Returns the keys to load with those of the command; `undefined` if the rule lets the command pass. Cheap: it runs for each. */
  keyOf(command: Admitted): StateKey | readonly StateKey[] | undefined
  /**
   * Decides if the command may be decided. Pure, like {@link Command.decide}.
   *
   * @throws Refusal if it may not.
   */
  admit(command: Admitted, state: State, context: Context): void
}

/** Joins completions. Each sees the plan without the rows of the others. */
export function eachCompletion(...completions: readonly PlanCompletion[]): PlanCompletion {
  return {
    keysOf: (command) => completions.flatMap((each) => each.keysOf(command)),
    rowsFor: (...of) => completions.flatMap((each) => each.rowsFor(...of)),
  }
}

/** Adds rows to every plan, whichever command made it, such as those of an account that holds something for the first time. */
export interface PlanCompletion {
  /** Returns the keys to load with those of the command. A hint, and cheap: it runs for each command. */
  keysOf(command: Pick<Command<unknown>, 'preload'>): readonly StateKey[]
  /**
   * Decides the rows to add. Pure, like {@link Command.decide}.
   *
   * @param state the ledger before the plan.
   * @param lastSeq the number of the last entry before the plan.
   */
  rowsFor(
    plan: Pick<Plan<unknown>, 'entries' | 'rows'>,
    state: State,
    context: Context,
    lastSeq: bigint,
  ): readonly RowWrite[]
}
