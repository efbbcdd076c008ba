import { writeSync } from 'node:fs'
import type { Database, Queryable } from '@clearwell/ledger/database'

export interface KillingDatabase extends Database {
  /** Every position that was passed since the last {@link KillingDatabase.arm}, such as `after insert entries #1`. */
  readonly passed: readonly string[]
  /** Counts the positions of this database, and of those that were opened beside it. */
  readonly positions: Positions
  /** Counts from here on, and kills the process at `position`. Waits for a running transaction. */
  arm(position: string | undefined): Promise<void>
  /** Calls `listener` once, at the next `begin`. */
  onBegin(listener: () => void): void
}

/** By name: a statement that only such a transaction has. */
export type NamedCommits = Readonly<Record<string, RegExp>>

/**
 * Makes a database kill its own process with SIGKILL at a chosen position: before a statement, while it is sent
 * (`sent`, on PostgreSQL), or after it. `begin` and `commit` are statements too; a transaction that only reads ends with
 * `commit of reads`, and one that only follows the ledger with `commit of followers`.
 *
 * @param beside another database of this process: both count their positions together.
 * @param commits names the commits of transactions with such a statement, so that jobs beside it do not change its number. The first
 * name that fits counts.
 */
export function killingDatabase(
  db: Database,
  first: string | undefined,
  beside?: KillingDatabase,
  commits: NamedCommits = {},
): KillingDatabase {
  const named = Object.entries(commits)
  const positions = beside?.positions ?? new Positions(first)
  const { query, sent } = watching(db, positions)
  let transaction: Promise<unknown> = Promise.resolve()
  let commitBefore: Promise<unknown> = Promise.resolve()
  let beginListener: (() => void) | undefined

  const transact: Database['transaction'] = async (work) => {
    let commit = 'commit of reads'
    /** The earliest of the names that the transaction has. */
    let earliest = named.length
    positions.pass('before begin')
    beginListener?.()
    beginListener = undefined
    const running = db.transaction(async (tx) => {
      positions.pass('after begin')
      const statements = query(tx)
      const result = await work({
        query(text, params) {
          const own = named.findIndex(([, statements]) => statements.test(text))
          if (own !== -1) {
            if (own < earliest) commit = `commit of ${named[own]?.[0]}`
            earliest = Math.min(earliest, own)
          } else if (earliest < named.length) return statements(text, params)
          else if (FOLLOWS.test(text)) commit = 'commit of followers'
          else if (WRITES.test(text) && commit === 'commit of reads') commit = 'commit'
          return statements(text, params)
        },
      })
      positions.pass(`before ${commit}`)
      sent(commit)
      return result
    })
    transaction = running.catch(() => {})
    const result = await running
    positions.pass(`after ${commit}`)
    return result
  }

  return {
    ...db,
    passed: positions.passed,
    positions,
    query: query(db),
    transaction: transact,
    // Statement by statement, so that the process can be killed between any two.
    commitInOrder(statements) {
      const commit = () =>
        transact(async (tx) => {
          for (const { text, params } of statements) await tx.query(text, params)
        })
      const committed = commitBefore.then(commit, commit)
      commitBefore = committed
      return committed
    },
    async arm(position) {
      await transaction
      positions.arm(position)
    },
    onBegin(listener) {
      beginListener = listener
    },
  }
}

/** The positions that a process has passed, and the one at which it dies. */
export class Positions {
  readonly passed: string[] = []
  readonly #counts = new Map<string, number>()
  #target: string | undefined

  constructor(target: string | undefined) {
    this.#target = target
  }

  arm(target: string | undefined): void {
    this.passed.length = 0
    this.#counts.clear()
    this.#target = target
  }

  pass(position: string): void {
    const count = (this.#counts.get(position) ?? 0) + 1
    this.#counts.set(position, count)
    const numbered = `${position} #${count}`
    this.passed.push(numbered)
    if (numbered !== this.#target) return
    // Written synchronously, unlike a message to the parent.
    writeSync(1, `killed ${numbered}\n`)
    process.kill(process.pid, 'SIGKILL')
  }
}

/** Statements that pass a position before, while and after they run. */
function watching(db: Database, positions: Positions) {
  /** One turn of the event loop sends a statement; its reply takes longer. PGlite works in this very thread. */
  function sent(name: string): void {
    if (db.kind === 'postgres') setImmediate(() => positions.pass(`sent ${name}`))
  }

  const query = (on: Queryable): Queryable['query'] => {
    return async (text, params) => {
      if (BESIDE.test(text)) return on.query<never>(text, params)
      const name = nameOf(text)
      positions.pass(`before ${name}`)
      const running = on.query<never>(text, params)
      sent(name)
      const rows = await running
      positions.pass(`after ${name}`)
      return rows
    }
  }
  return { query, sent }
}

/** Statements that may change rows. The commit of a transaction without one changes nothing. */
const WRITES = /\b(?:insert|update|delete)\b/i

/** Jobs of each second keep figures that derive from the ledger: ranks, totals, sources of boxes. */
const FOLLOWS =
  /\b(?:update|insert into) (?:ledger_followers|rank_\w+|referral_totals|box_\w+)\b|\bfrom (?:ledger_followers|rank_\w+|team_events|box_\w+)\b/

/**
 * Statements that delete old rows, judge loans, or look for notices, due planned swaps or at the upgrade hub: they run at any time
 * beside a command, so they are not part of it.
 */
const BESIDE =
  /\/\* retention \*\/|\badd_ledger_partitions\b|\bfrom (?:loans|lending_\w+|plans|rich_\w+|unsent_notices)\b/

/** A union begins with a bracket. `with entries`, `update writer_lease`, `select command_outcomes`, `set transaction`. */
function nameOf(text: string): string {
  const match = /^[\s(]*(insert|update|select|delete|with|set)\b\s+(?:.*?\b(?:into|from)\s+(?!unnest\b))?(\w+)/s.exec(
    text,
  )
  if (!match) throw new Error(`a statement that this simulation cannot name: ${text}`)
  return `${match[1]} ${match[2]}`
}
