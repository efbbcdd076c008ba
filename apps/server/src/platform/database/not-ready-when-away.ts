import { type Database, type Queryable, sqlState } from '@clearwell/ledger/database'
import { NotReady } from '@clearwell/ledger/writer'

/**
 * Wraps a database to throw `NotReady` (with the cause) for failures of an unavailable database: reads then respond with
 * 50300, as writes do, and not as if there were a bug. All other errors pass unchanged.
 */
export function notReadyWhenAway(db: Database): Database {
  const on = (queryable: Queryable): Queryable => ({
    query: (text, params) => queryable.query<never>(text, params).catch(rethrow),
  })
  return {
    kind: db.kind,
    ...on(db),
    transaction: (work) => db.transaction((tx) => work(on(tx))).catch(rethrow),
    commitInOrder: (statements) => db.commitInOrder(statements).catch(rethrow),
    script: (text) => db.script(text).catch(rethrow),
    ...(db.pools ? { pools: db.pools } : {}),
    close: () => db.close(),
  }
}

function rethrow(error: unknown): never {
  throw isAway(error) ? new NotReady('the database is away', { cause: error }) : error
}

/**
 * SQLSTATEs of a server that closes or rejects connections, or turned read-only: connection exceptions, too many
 * connections, operator intervention (shutdown, start, failover).
 */
const AWAY_STATES = /^(08\w{3}|25006|53300|57P0\d)$/

/** Error codes of a socket that broke or never connected. */
const AWAY_SOCKETS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Messages without a code, from `pg` and PGlite, about a lost, silent or closed connection. */
const AWAY_MESSAGES = [
  /^Connection terminated/,
  /^timeout exceeded when trying to connect/,
  /^Query read timeout/,
  /^Client has encountered a connection error/,
  /^Client was closed/,
  /^Cannot use a pool after calling end/,
  /^PGlite is clos(ed|ing)/,
]

/** Returns whether the error is that of a database that is unavailable, and not of a statement. */
export function isAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAway)
  const state = sqlState(error)
  if (state !== undefined) return AWAY_STATES.test(state)
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string') return AWAY_SOCKETS.has(error.code)
  return AWAY_MESSAGES.some((message) => message.test(error.message))
}
