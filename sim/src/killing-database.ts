import { writeSync } from 'node:fs'
import type { Database, Queryable } from '@clearwell/ledger/database'

export interface KillingDatabase extends Database {
  /** Every position that was passed since the last {@link KillingDatabase.arm}, such as `after insert entries #1`. */
  readonly passed: readonly string[]
  /** Counts from here on, and kills the process at `position`. Waits for a transaction that is under way. */
  arm(position: string | undefined): Promise<void>
  /** Calls `listener` once, at the next `begin`. */
  onBegin(listener: () => void): void
}

/**
 * Makes a database kill its own process with SIGKILL at a chosen position: before a statement, while it is under way
 * (`sent`, on PostgreSQL), or after it. `begin` and `commit` are statements too.
 */
export function killingDatabase(db: Database, first: string | undefined): KillingDatabase {
  const counts = new Map<string, number>()
  const passed: string[] = []
  let target = first
  let transaction: Promise<unknown> = Promise.resolve()
  let commitBefore: Promise<unknown> = Promise.resolve()
  let beginListener: (() => void) | undefined

  function pass(position: string): void {
    const count = (counts.get(position) ?? 0) + 1
    counts.set(position, count)
    const numbered = `${position} #${count}`
    passed.push(numbered)
    if (numbered !== target) return
    // Written at once, unlike a message to the parent.
    writeSync(1, `killed ${numbered}\n`)
    process.kill(process.pid, 'SIGKILL')
  }

  /** One turn of the event loop sends what was asked; the answer takes longer. PGlite works in this very thread. */
  function passSent(name: string): void {
    if (db.kind === 'postgres') setImmediate(() => pass(`sent ${name}`))
  }

  const watched = (on: Queryable): Queryable['query'] => {
    return async (text, params) => {
      const name = nameOf(text)
      pass(`before ${name}`)
      const running = on.query<never>(text, params)
      passSent(name)
      const rows = await running
      pass(`after ${name}`)
      return rows
    }
  }

  const transact: Database['transaction'] = async (work) => {
    pass('before begin')
    beginListener?.()
    beginListener = undefined
    const running = db.transaction(async (tx) => {
      pass('after begin')
      const result = await work({ query: watched(tx) })
      pass('before commit')
      passSent('commit')
      return result
    })
    transaction = running.catch(() => {})
    const result = await running
    pass('after commit')
    return result
  }

  return {
    ...db,
    passed,
    query: watched(db),
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
      passed.length = 0
      counts.clear()
      target = position
    },
    onBegin(listener) {
      beginListener = listener
    },
  }
}

/** `insert entries`, `update writer_lease`, `select stored_answers`. */
function nameOf(text: string): string {
  const match = /^\s*(insert|update|select|delete|with)\b\s+(?:.*?\b(?:into|from)\s+(?!unnest\b))?(\w+)/s.exec(text)
  if (!match) throw new Error(`a statement that this simulation cannot name: ${text}`)
  return `${match[1]} ${match[2]}`
}
