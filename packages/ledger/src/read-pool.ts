import pg from 'pg'
import { type PoolState, type Queryable, sqlState } from './database.ts'
import { statementName, types } from './postgres-database.ts'

/** A connection that is taken out of its pool, and sees one PostgreSQL until it is released. */
export interface ReadConnection extends Queryable {
  /**
   * Gives the connection back, or closes it after a fault of the connection. A second call changes nothing.
   *
   * @param isLost closes it in any case, because it does not answer.
   */
  release(isLost?: boolean): void
}

/** Connections that only read, to a PostgreSQL that need not be there yet. */
export interface ReadPool {
  /** Takes a connection. @throws when none is free or PostgreSQL cannot be reached in time. */
  connect(): Promise<ReadConnection>
  readonly state: PoolState
  close(): Promise<void>
}

/**
 * Makes a pool that connects when it is first used, such as to a standby, which may come later than the server and go before it.
 *
 * @param url a `postgres://` address; a secret, never logged.
 * @param connectMs time limit for opening a connection or waiting for a free one.
 * @param maxQueryMs time limit of a statement.
 * @param name of the pool. The database's administrator sees it in `pg_stat_activity`, behind `clearwell`.
 */
export function openReadPool(
  url: string,
  options: {
    readonly maxConnections: number
    readonly connectMs: number
    readonly maxQueryMs: number
    readonly name: string
  },
): ReadPool {
  const { maxConnections, connectMs, maxQueryMs, name } = options
  const pool = new pg.Pool({
    connectionString: url,
    application_name: `clearwell ${name}`,
    types,
    max: maxConnections,
    connectionTimeoutMillis: connectMs,
    statement_timeout: maxQueryMs,
    // A host that vanished does not cancel the statement.
    query_timeout: maxQueryMs + connectMs,
    pipeline: true,
  })
  // The pool replaces a connection that broke, and its next user gets the error of a new one.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    // A standby refuses to write. So must a primary at this address, such as a standby that was promoted.
    client.query('set default_transaction_read_only = on').catch(() => {})
  })
  return {
    async connect() {
      const client = await pool.connect()
      let isBroken = false
      let isReleased = false
      return {
        async query<Row extends object>(text: string, params?: readonly unknown[]): Promise<Row[]> {
          try {
            const values = params ? [...params] : []
            return (await client.query<Row>({ name: statementName(text), text, values })).rows
          } catch (error) {
            // An error with an SQLSTATE came through a working connection, unless it says that the connection ends.
            isBroken ||= /^(08|57P)/.test(sqlState(error) ?? '08')
            throw error
          }
        },
        release(isLost = false) {
          if (!isReleased) client.release(isLost || isBroken)
          isReleased = true
        },
      }
    },
    get state() {
      const { totalCount, idleCount, waitingCount } = pool
      return { pool: name, busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
    },
    close: () => pool.end(),
  }
}
