import type { Database } from '@clearwell/ledger/database'

/** Breaks the connection around the commits of batches that make a planned run. */
export interface RunBreaker {
  /** Which commits break: the next one after it arrived, or each one before it arrives. */
  breaking: 'none' | 'next after' | 'each before'
  /** How many have broken so far. */
  readonly broken: number
  /** Wraps the database of a server. */
  readonly wrap: (db: Database) => Database
}

export function createRunBreaker(): RunBreaker {
  let broken = 0
  const breaker: RunBreaker = {
    breaking: 'none',
    get broken() {
      return broken
    },
    wrap: (db) => ({
      kind: db.kind,
      script: (text) => db.script(text),
      close: () => db.close(),
      transaction: (work) => db.transaction(work),
      query: (text, params) => db.query(text, params),
      async commitInOrder(statements) {
        const hasRun = statements.some(({ text }) => text.includes('insert into plan_runs'))
        const now = hasRun ? breaker.breaking : 'none'
        if (now !== 'each before') await db.commitInOrder(statements)
        if (now === 'none') return
        broken += 1
        if (now === 'next after') breaker.breaking = 'none'
        throw new Error('Connection terminated unexpectedly')
      },
    }),
  }
  return breaker
}
