import type { AnyWriterTable, EntryDraft, Plan, RowWrite, State } from './command.ts'
import type { WriterTable } from './table.ts'
import { TwoLevelMap } from './two-level-map.ts'

/** Changes that one part of a command adds to its plan. */
export interface Planned {
  readonly entries?: readonly EntryDraft[]
  readonly rows?: readonly RowWrite[]
}

/**
 * A plan that is made in parts: each part sees the changes of the parts before it. Checks nothing; the writer checks the
 * whole plan.
 *
 * @example
 * decide(state, context) {
 *   const draft = new Draft(state)
 *   for (const payment of payments) credit(draft, context, payment)
 *   return draft.plan({ credited: payments.length })
 * }
 */
export class Draft implements State {
  readonly #state: State
  readonly #entries: EntryDraft[] = []
  /** By table and id. The last write of a row counts. */
  readonly #rows = new TwoLevelMap<AnyWriterTable, string, RowWrite>()
  /** By asset and account: the difference between the draft's balance and the state's, in base units. */
  readonly #moved = new TwoLevelMap<string, string, bigint>()

  constructor(state: State) {
    this.#state = state
  }

  balance(account: string, asset: string): bigint {
    return this.#state.balance(account, asset) + (this.#moved.get(asset, account) ?? 0n)
  }

  row<Row extends { readonly id: string }>(table: WriterTable<Row>, id: string): Row | undefined {
    const written = this.#rows.get(table, id)
    // `write` checked the row against its table.
    return written ? (written.row as Row) : this.#state.row(table, id)
  }

  rows<Row extends { readonly id: string }>(table: WriterTable<Row>, ids: readonly string[]): (Row | undefined)[] {
    // Those that the draft has written may be unknown to the state below it: they need no loading.
    const below = ids.filter((id) => !this.#rows.get(table, id))
    this.#state.rows(table, below)
    return ids.map((id) => this.row(table, id))
  }

  add({ entries = [], rows = [] }: Planned): void {
    this.#entries.push(...entries)
    for (const { account, asset, units } of entries.flatMap(({ postings }) => postings)) {
      this.#moved.set(asset, account, (this.#moved.get(asset, account) ?? 0n) + units)
    }
    for (const each of rows) this.#rows.set(each.table, each.row.id, each)
  }

  /** Returns one plan with all parts. */
  plan<Result>(response: Result): Plan<Result> {
    const rows: RowWrite[] = []
    this.#rows.forEach((each) => {
      rows.push(each)
    })
    return { entries: this.#entries, rows, response }
  }
}
