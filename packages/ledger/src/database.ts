/** One statement, ready to be run. */
export interface Statement {
  /** SQL with `$1` placeholders. */
  readonly text: string
  readonly params: readonly unknown[]
}

/** What runs a statement: the database itself, or a transaction of it. */
export interface Queryable {
  /**
   * Runs one statement, after those of the same transaction that were asked for before. `numeric` and `bigint` columns
   * come back as bigint, `timestamptz` as Date.
   *
   * @param text SQL with `$1` placeholders. The same text is prepared once per connection.
   */
  query<Row extends object>(text: string, params?: readonly unknown[]): Promise<Row[]>
}

/** A PostgreSQL, in the process or beside it. */
export interface Database extends Queryable {
  readonly kind: 'pglite' | 'postgres'
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>
  /**
   * Runs statements in one transaction, in their order. Calls are run in the order in which they were made, each after the
   * one before has ended; nothing of them waits for an answer before it is sent.
   *
   * @throws the error of the first statement that failed; then nothing of this call was written.
   */
  commitInOrder(statements: readonly Statement[]): Promise<void>
  /** Runs a script of several statements without parameters. Only migrations need it. */
  script(text: string): Promise<void>
  close(): Promise<void>
}

/** The SQLSTATE of a database error, or `undefined` when the error is not one (`EPIPE` has its length, but no digit). */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  const { code } = error
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code) ? code : undefined
}
