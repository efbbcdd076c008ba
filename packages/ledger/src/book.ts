import { arrayLiteral } from './array-literal.ts'
import type { AnyWriterTable, Plan, State, StateKey } from './command.ts'
import type { Queryable } from './database.ts'
import { entryHash, type Posting } from './entry-hash.ts'
import type { Tip } from './reads.ts'
import type { WriterTable } from './table.ts'
import { TwoLevelMap } from './two-level-map.ts'

/** Above this many cached values the cache is emptied: memory must not grow with the number of users. */
const CACHE_LIMIT = 500_000

/** Thrown when a decision reads state that is not in memory yet. The batch loads it and decides again. */
export class NotLoaded extends Error {
  readonly keys: readonly StateKey[]
  constructor(keys: readonly StateKey[]) {
    super('not loaded')
    this.keys = keys
  }
}

/** Committed state, as far as it is in memory. Only the writer changes it, and clears it when a batch fails. */
export class CommittedCache {
  /** By asset and account. */
  readonly balances = new TwoLevelMap<string, string, bigint>()
  /** By table and id; `null` for a row that is known not to exist. */
  readonly rows = new TwoLevelMap<AnyWriterTable, string, { readonly id: string } | null>()

  clear(): void {
    this.balances.clear()
    this.rows.clear()
  }

  trim(limit = CACHE_LIMIT): void {
    if (this.balances.size + this.rows.size > limit) this.clear()
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
 * The working state of one batch: the cache, overlaid with the changes of the batches that are still being written and of
 * the batch's own commands so far.
 */
export class Book implements State {
  readonly entries: DecidedEntry[] = []
  /** By asset and account. */
  readonly changedBalances = new TwoLevelMap<string, string, bigint>()
  /** By table and id. */
  readonly changedRows = new TwoLevelMap<AnyWriterTable, string, { readonly id: string }>()
  #cache: CommittedCache
  #before: Book | undefined
  #tip: Tip

  constructor(cache: CommittedCache, tip: Tip, before?: Book) {
    this.#cache = cache
    this.#before = before
    this.#tip = tip
  }

  get tip(): Tip {
    return this.#tip
  }

  balance(account: string, asset: string): bigint {
    const units = this.#balance(account, asset)
    if (units === undefined) throw new NotLoaded([{ account, asset }])
    return units
  }

  row<Row extends { readonly id: string }>(table: WriterTable<Row>, id: string): Row | undefined {
    const row = this.#row(table, id)
    if (row === undefined) throw new NotLoaded([{ table, id }])
    return (row as Row | null) ?? undefined
  }

  rows<Row extends { readonly id: string }>(table: WriterTable<Row>, ids: readonly string[]): (Row | undefined)[] {
    const rows = ids.map((id) => this.#row(table, id))
    if (rows.includes(undefined))
      throw new NotLoaded(ids.filter((_, index) => rows[index] === undefined).map((id) => ({ table, id })))
    return rows.map((row) => (row as Row | null) ?? undefined)
  }

  /** Returns a balance as it is now, and `undefined` if it is not in memory. */
  #balance(account: string, asset: string): bigint | undefined {
    const changed = this.changedBalances.get(asset, account)
    return changed ?? (this.#before ? this.#before.#balance(account, asset) : this.#cache.balances.get(asset, account))
  }

  /** Returns a row as it is now, `null` if there is none, and `undefined` if it is not in memory. */
  #row(table: AnyWriterTable, id: string): { readonly id: string } | null | undefined {
    const changed = this.changedRows.get(table, id)
    return changed ?? (this.#before ? this.#before.#row(table, id) : this.#cache.rows.get(table, id))
  }

  /**
   * Loads those of `keys` that are missing, with one statement per table. Values that earlier batches change
   * are in memory already: the database does not have them yet.
   */
  async load(db: Queryable, keys: Iterable<StateKey>): Promise<void> {
    const balances = new TwoLevelMap<string, string, StateKey>()
    const rows = new TwoLevelMap<AnyWriterTable, string, StateKey>()
    for (const key of keys) {
      if ('table' in key) {
        const { table, id } = key
        if (this.#row(table, id) === undefined) rows.set(table, id, key)
      } else {
        const { account, asset } = key
        if (this.#balance(account, asset) === undefined) balances.set(asset, account, key)
      }
    }
    if (balances.size > 0) {
      const accounts: string[] = []
      const assets: string[] = []
      balances.forEach((_key, asset, account) => {
        accounts.push(account)
        assets.push(asset)
      })
      const found = await db.query<{ account: string; asset: string; units: bigint }>(
        // One index lookup per key: a plan cached while the table was small would scan the whole table from then on.
        `select account, asset, units from unnest($1::text[], $2::text[]) as wanted (wanted_account, wanted_asset)
         cross join lateral (
           select account, asset, units from balances where account = wanted_account and asset = wanted_asset offset 0
         ) found`,
        [arrayLiteral(accounts), arrayLiteral(assets)],
      )
      balances.forEach((_key, asset, account) => {
        this.#cache.balances.set(asset, account, 0n)
      })
      for (const each of found) this.#cache.balances.set(each.asset, each.account, each.units)
    }
    for (const [table, wanted] of rows.byFirst()) {
      const ids = [...wanted.keys()]
      const found = await table.load(db, ids)
      for (const id of ids) this.#cache.rows.set(table, id, null)
      for (const row of found) this.#cache.rows.set(table, row.id, row)
    }
  }

  /**
   * Applies a plan: all of it, or nothing when it breaks a rule of the ledger.
   *
   * @throws Error when an entry does not balance or an account would go below zero: a bug of the command.
   */
  apply(plan: Plan<unknown>, at: Date): void {
    const entries: DecidedEntry[] = []
    const before: { account: string; asset: string; units: bigint | undefined }[] = []
    let tip = this.#tip
    try {
      for (const draft of plan.entries ?? []) {
        assertBalanced(draft.kind, draft.postings)
        const postings = draft.postings.map(({ account, asset, units }) => {
          const balanceAfter = this.balance(account, asset) + units
          if (balanceAfter < 0n && account !== 'vault') {
            throw new Error(`${draft.kind}: ${account} would go below zero in ${asset}`)
          }
          before.push({ account, asset, units: this.changedBalances.get(asset, account) })
          this.changedBalances.set(asset, account, balanceAfter)
          return { account, asset, units, balanceAfter }
        })
        // Entries never go back in time, even when the clock does.
        const entryAt = tip.at !== undefined && tip.at > at ? tip.at : at
        const entry = { seq: tip.seq + 1n, kind: draft.kind, at: entryAt, reference: draft.reference, postings }
        const hash = entryHash(tip.hash, entry)
        tip = { seq: entry.seq, hash, at: entryAt }
        entries.push({ ...entry, hash })
      }
    } catch (error) {
      // A bad plan leaves no trace.
      for (const { account, asset, units } of before.reverse()) {
        if (units === undefined) this.changedBalances.delete(asset, account)
        else this.changedBalances.set(asset, account, units)
      }
      throw error
    }
    for (const { table, row } of plan.rows ?? []) this.changedRows.set(table, row.id, row)
    this.entries.push(...entries)
    this.#tip = tip
  }

  /** Moves the batch's changes to the cache after the commit. */
  commitToCache(): void {
    this.changedBalances.forEach((units, asset, account) => {
      this.#cache.balances.set(asset, account, units)
    })
    this.changedRows.forEach((row, table, id) => {
      if (!table.isNeverRead) this.#cache.rows.set(table, id, row)
    })
    this.#cache.trim()
    // The batch before is committed. A reference to its book would keep every earlier book in memory.
    this.#before = undefined
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
