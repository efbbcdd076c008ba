/** One SQL statement with its parameters. */
export interface Statement {
  /** SQL with `$1` placeholders. */
  readonly text: string
  readonly params: readonly unknown[]
}

/** Runs statements: the database itself, or one of its transactions. */
export interface Queryable {
  /**
   * Runs one statement, after the earlier ones of the same transaction. Returns `numeric` and `bigint` columns as bigint,
   * `timestamptz` as Date.
   *
   * @param text SQL with `$1` placeholders. The same text is prepared once per connection.
   */
  query<Row extends object>(text: string, params?: readonly unknown[]): Promise<Row[]>
}

/** A PostgreSQL database, in this process or on a server. */
export interface Database extends Queryable {
  readonly kind: 'pglite' | 'postgres'
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>
  /**
   * Runs statements in one transaction, in their order. Calls run in the order in which they were made, each after the one
   * before has ended. All statements are sent without waiting for responses.
   *
   * @throws the error of the first statement that failed. Nothing of this call was written.
   */
  commitInOrder(statements: readonly Statement[]): Promise<void>
  /** Runs a script of several statements without parameters. Only migrations need it. */
  script(text: string): Promise<void>
  /** The connections of each pool now. Absent without pools. */
  pools?(): readonly PoolState[]
  close(): Promise<void>
}

/** The connections of a pool, and the statements that wait for one. */
export interface PoolState {
  readonly pool: string
  readonly busy: number
  readonly idle: number
  readonly waiting: number
}

/** SQLSTATE of a statement that PostgreSQL cancelled, nearly always because it reached its time limit. */
export const QUERY_CANCELLED = '57014'

/** Returns the SQLSTATE of a database error, or `undefined` for another error (`EPIPE` has the length, but no digit). */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  const { code } = error
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code) ? code : undefined
}
