import { type Database, type Queryable, sqlState } from '@clearwell/ledger/database'
import { NotReady } from '@clearwell/ledger/writer'

/**
 * The same database, which throws `NotReady` (with the cause) for whatever failed because it is away: reads are then
 * answered like writes, with 50300, and not as if they had a bug. All other errors pass as they are.
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
    close: () => db.close(),
  }
}

function rethrow(error: unknown): never {
  throw isAway(error) ? new NotReady('the database is away', { cause: error }) : error
}

/**
 * The SQLSTATEs of a server that ends a connection, takes none or turned read-only: connection exceptions, too many
 * connections, an operator's doing (a shutdown, a start, a failover).
 */
const AWAY_STATES = /^(08\w{3}|25006|53300|57P0\d)$/

/** The codes of a socket that broke or was never made. */
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

/** What `pg` and PGlite say, without a code, of a connection that is lost, silent, or closed. */
const AWAY_MESSAGES = [
  /^Connection terminated/,
  /^timeout exceeded when trying to connect/,
  /^Query read timeout/,
  /^Client has encountered a connection error/,
  /^Client was closed/,
  /^Cannot use a pool after calling end/,
  /^PGlite is clos(ed|ing)/,
]

function isAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAway)
  const state = sqlState(error)
  if (state !== undefined) return AWAY_STATES.test(state)
  if (!(error instanceof Error)) return false
  if ('code' in error && typeof error.code === 'string') return AWAY_SOCKETS.has(error.code)
  return AWAY_MESSAGES.some((message) => message.test(error.message))
}
