import { arrayLiteral } from './array-literal.ts'
import type { AnyTable, Plan, State, Touch } from './command.ts'
import type { Queryable } from './database.ts'
import { entryHash, type Posting } from './entry-hash.ts'
import type { Table } from './table.ts'

/** Above this many cached values the cache is emptied: memory must not grow with the number of users. */
const CACHE_LIMIT = 500_000

const SEPARATOR = '\u0000'
const balanceKey = (account: string, asset: string) => `${account}${SEPARATOR}${asset}`
const rowKey = (table: AnyTable, id: string) => `${table.name}${SEPARATOR}${id}`

/** Thrown by a decision that looks at something that is not in memory yet: load it, then decide again. */
export class NotLoaded extends Error {
  readonly touch: Touch
  constructor(touch: Touch) {
    super('not loaded')
    this.touch = touch
  }
}

/** What is committed, as far as it is in memory. Only the writer changes it, and drops it when a batch fails. */
export class CommittedCache {
  readonly balances = new Map<string, bigint>()
  readonly rows = new Map<string, unknown>()

  clear(): void {
    this.balances.clear()
    this.rows.clear()
  }

  trim(): void {
    if (this.balances.size + this.rows.size > CACHE_LIMIT) this.clear()
  }
}

/** An entry that a batch will write. */
export interface DecidedEntry {
  readonly seq: bigint
  readonly kind: string
  readonly at: Date
  readonly reference: string
  readonly postings: readonly (Posting & { readonly balanceAfter: bigint })[]
  readonly hash: Uint8Array
}

/**
 * The working state of one batch: the cache, overlaid with what the batch before it is about to commit, and with what the
 * batch's own commands have changed so far.
 */
export class Book implements State {
  readonly entries: DecidedEntry[] = []
  readonly changedBalances = new Map<string, { account: string; asset: string; units: bigint }>()
  readonly changedRows = new Map<string, { table: AnyTable; row: { readonly id: string } }>()
  #cache: CommittedCache
  #before: Book | undefined
  #seq: bigint
  #hash: Uint8Array

  constructor(cache: CommittedCache, tip: { seq: bigint; hash: Uint8Array }, before?: Book) {
    this.#cache = cache
    this.#before = before
    this.#seq = tip.seq
    this.#hash = tip.hash
  }

  get tip(): { seq: bigint; hash: Uint8Array } {
    return { seq: this.#seq, hash: this.#hash }
  }

  balance(account: string, asset: string): bigint {
    const key = balanceKey(account, asset)
    const changed = this.changedBalances.get(key) ?? this.#before?.changedBalances.get(key)
    const units = changed?.units ?? this.#cache.balances.get(key)
    if (units === undefined) throw new NotLoaded({ account, asset })
    return units
  }

  row<Row extends { readonly id: string }>(table: Table<Row>, id: string): Row | undefined {
    const key = rowKey(table, id)
    const changed = this.changedRows.get(key) ?? this.#before?.changedRows.get(key)
    if (changed) return changed.row as Row
    if (!this.#cache.rows.has(key)) throw new NotLoaded({ table, id })
    return this.#cache.rows.get(key) as Row | undefined
  }

  /**
   * Brings into memory whatever of `touches` is not there, in one statement per table. What the batch before changes is
   * there: the database does not know it yet.
   */
  async load(db: Queryable, touches: Iterable<Touch>): Promise<void> {
    const balances = new Map<string, { account: string; asset: string }>()
    const rows = new Map<AnyTable, Set<string>>()
    for (const touch of touches) {
      if ('table' in touch) {
        const key = rowKey(touch.table, touch.id)
        if (this.#cache.rows.has(key) || this.#before?.changedRows.has(key)) continue
        const ids = rows.get(touch.table)
        if (ids) ids.add(touch.id)
        else rows.set(touch.table, new Set([touch.id]))
      } else {
        const key = balanceKey(touch.account, touch.asset)
        if (!this.#cache.balances.has(key) && !this.#before?.changedBalances.has(key)) balances.set(key, touch)
      }
    }
    if (balances.size > 0) {
      const wanted = [...balances.values()]
      const found = await db.query<{ account: string; asset: string; units: bigint }>(
        'select account, asset, units from balances join unnest($1::text[], $2::text[]) as wanted (account, asset) using (account, asset)',
        [arrayLiteral(wanted.map((each) => each.account)), arrayLiteral(wanted.map((each) => each.asset))],
      )
      for (const key of balances.keys()) this.#cache.balances.set(key, 0n)
      for (const each of found) this.#cache.balances.set(balanceKey(each.account, each.asset), each.units)
    }
    for (const [table, ids] of rows) {
      const found = await table.load(db, [...ids])
      for (const id of ids) this.#cache.rows.set(rowKey(table, id), undefined)
      for (const row of found) this.#cache.rows.set(rowKey(table, row.id), row)
    }
  }

  /**
   * Takes a plan into the book: all of it, or nothing when it breaks a rule of the ledger.
   *
   * @throws Error when an entry does not balance or an account would go below zero: a bug of the command.
   */
  apply(plan: Plan<unknown>, at: Date): void {
    const balances = new Map<string, { account: string; asset: string; units: bigint }>()
    const entries: DecidedEntry[] = []
    let tip = this.tip
    for (const draft of plan.entries ?? []) {
      assertBalanced(draft.kind, draft.postings)
      const postings = draft.postings.map((posting) => {
        const key = balanceKey(posting.account, posting.asset)
        const units = (balances.get(key)?.units ?? this.balance(posting.account, posting.asset)) + posting.units
        if (units < 0n && posting.account !== 'vault') {
          throw new Error(`${draft.kind}: ${posting.account} would go below zero in ${posting.asset}`)
        }
        balances.set(key, { account: posting.account, asset: posting.asset, units })
        return { ...posting, balanceAfter: units }
      })
      const entry = { seq: tip.seq + 1n, kind: draft.kind, at, reference: draft.reference, postings }
      tip = { seq: entry.seq, hash: entryHash(tip.hash, entry) }
      entries.push({ ...entry, hash: tip.hash })
    }
    // Nothing above has changed the book, so that a bad plan leaves no trace.
    for (const [key, balance] of balances) this.changedBalances.set(key, balance)
    for (const write of plan.rows ?? []) this.changedRows.set(rowKey(write.table, write.row.id), write)
    this.entries.push(...entries)
    this.#seq = tip.seq
    this.#hash = tip.hash
  }

  /** After the commit: what the batch changed is now what is committed. */
  commitToCache(): void {
    for (const [key, { units }] of this.changedBalances) this.#cache.balances.set(key, units)
    for (const [key, { row }] of this.changedRows) this.#cache.rows.set(key, row)
    this.#cache.trim()
  }
}

function assertBalanced(kind: string, postings: readonly Posting[]): void {
  if (postings.length < 2) throw new Error(`${kind}: an entry needs two postings or more`)
  const sums = new Map<string, bigint>()
  for (const { asset, units } of postings) {
    if (units === 0n) throw new Error(`${kind}: a posting of nothing`)
    sums.set(asset, (sums.get(asset) ?? 0n) + units)
  }
  for (const [asset, sum] of sums) {
    if (sum !== 0n) throw new Error(`${kind}: ${asset} does not sum to zero`)
  }
}
