import { createHash } from 'node:crypto'
import pg from 'pg'
import { type Database, type Queryable, type Statement, sqlState } from './database.ts'

const { builtins } = pg.types
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, BigInt],
  [builtins.NUMERIC, BigInt],
  [builtins.TIMESTAMPTZ, (text) => new Date(text)],
])

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    (format === 'text' ? parsers.get(oid) : undefined) ??
    pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
}

/**
 * After how long without a statement the server ends a transaction. A writer that hangs in the middle of a batch would
 * otherwise hold the lease's row, and with it every other writer, for as long as it hangs.
 */
const MAX_IDLE_IN_TRANSACTION_MS = 5_000

/**
 * How long a statement may take. A host that vanished answers nothing and refuses nothing, and would otherwise hold the
 * writer and every reader for the quarter of an hour in which TCP gives up. The largest batch takes tenths of a second; what
 * waits for another's lock waits {@link MAX_IDLE_IN_TRANSACTION_MS} at most. Scripts, which are migrations, may take longer.
 */
const MAX_QUERY_MS = 15_000

/** How long a connection may take to be made or to become free: after that whoever asked has given up as well. */
const MAX_CONNECTING_MS = 10_000

/** A statement's name must be its text's: one name per text, so that each connection prepares it once. */
const names = new Map<string, string>()
function statementName(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
    names.set(text, name)
  }
  return name
}

/**
 * How the connection for commits is set up: it writes only where `begin` says so, and a host that vanished in the middle of
 * a batch is missed within seconds, not hours (half a statement is no idle transaction, so that limit does not end it).
 */
const COMMITTING_SETTINGS = `set default_transaction_read_only = on;
  set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3`

type Run = <Row extends object>(on: pg.PoolClient, text: string, params?: readonly unknown[]) => Promise<Row[]>

/**
 * One connection for all calls that are under way at once: what it is sent it does in that order.
 *
 * Nothing waits for the answer of `begin`, and where that fails (it was cancelled, say) each statement behind it would be a
 * transaction of its own, and be committed. So this connection is read-only but for what `begin` opens for writing.
 *
 * @param pool of this one connection.
 */
function committingInOrder(pool: pg.Pool, run: Run): Database['commitInOrder'] {
  let connecting: Promise<pg.PoolClient> | undefined
  let underWay = 0
  let broken: Error | undefined
  const note = (error: Error) => {
    broken = error
  }
  const known = new WeakSet<pg.PoolClient>()
  const connect = async () => {
    const client = await pool.connect()
    client.on('error', note)
    if (!known.has(client)) {
      await client.query(COMMITTING_SETTINGS).catch((error) => {
        client.off('error', note)
        client.release(true)
        throw error
      })
      known.add(client)
    }
    return client
  }
  async function send(client: pg.PoolClient, statements: readonly Statement[]): Promise<void> {
    const sent = await Promise.allSettled([
      client.query('begin read write'),
      ...statements.map(({ text, params }) => run(client, text, params)),
      client.query('commit'),
    ])
    // The first that failed says why; those after it only that it did.
    const failed = sent.find((each) => each.status === 'rejected')
    // A commit that failed (it was cancelled, say) may leave its transaction open: nobody else must get the connection.
    if (sent.at(-1)?.status === 'rejected') broken ??= failed?.reason
    if (failed) throw failed.reason
    const commit = sent.at(-1) as PromiseFulfilledResult<pg.QueryResult>
    // PostgreSQL answers a commit of a transaction that has failed with ROLLBACK, and no error.
    if (commit.value.command !== 'COMMIT') throw new Error('the transaction was rolled back at its commit')
  }
  return async (statements) => {
    connecting ??= connect()
    underWay++
    const connection = connecting
    try {
      await send(await connection, statements)
    } catch (error) {
      // Whatever has an SQLSTATE was said by a connection that lives.
      if (sqlState(error) === undefined) broken ??= error as Error
      throw error
    } finally {
      if (--underWay === 0) {
        connecting = undefined
        const reason = broken
        broken = undefined
        connection.then(
          (client) => {
            client.off('error', note)
            client.release(reason)
          },
          () => {},
        )
      }
    }
  }
}

async function inTransaction<Result>(
  pool: pg.Pool,
  run: Run,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  const note = (error: Error) => {
    broken = error
  }
  client.on('error', note)
  try {
    await client.query('begin')
    const queryable: Queryable = { query: (text, params) => run(client, text, params) }
    const result = await work(queryable)
    const { command } = await client.query('commit')
    // PostgreSQL answers a commit of a transaction that has failed with ROLLBACK, and no error.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back at its commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(note)
    throw error
  } finally {
    client.off('error', note)
    client.release(broken)
  }
}

/**
 * Connects to a PostgreSQL 15 or later.
 *
 * @param url a `postgres://` address; a secret, never logged.
 * @param maxConnections how many at most, beside the one that commits in order.
 * @param maxQueryMs how long a statement may take before its connection is given up.
 * @param onError what to do with the error of an idle connection; the pool replaces the connection by itself.
 */
export async function openPostgresDatabase(
  url: string,
  {
    maxConnections = 10,
    maxQueryMs = MAX_QUERY_MS,
    onError = () => {},
  }: { maxConnections?: number; maxQueryMs?: number; onError?: (error: Error) => void } = {},
): Promise<Database> {
  const options = {
    connectionString: url,
    types,
    connectionTimeoutMillis: MAX_CONNECTING_MS,
    query_timeout: maxQueryMs,
    // What is asked of one connection without waiting in between is sent without waiting in between.
    pipeline: true,
    idle_in_transaction_session_timeout: MAX_IDLE_IN_TRANSACTION_MS,
  }
  const pool = new pg.Pool({ ...options, max: maxConnections })
  const committing = new pg.Pool({ ...options, max: 1 })
  for (const each of [pool, committing]) {
    each.on('error', onError)
    // Where the server ends a connection in the same breath as it welcomes it, nobody listens yet: that would end the process.
    each.on('connect', (client) => client.on('error', () => {}))
  }
  const run = async <Row extends object>(on: pg.Pool | pg.PoolClient, text: string, params?: readonly unknown[]) =>
    (await on.query<Row>({ name: statementName(text), text, values: params ? [...params] : [] })).rows

  await pool.query('select 1')
  return {
    kind: 'postgres',
    commitInOrder: committingInOrder(committing, run),
    query: (text, params) => run(pool, text, params),
    transaction: (work) => inTransaction(pool, run, work),
    async script(text) {
      // On a connection of its own, where a statement may take as long as a migration takes.
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: MAX_CONNECTING_MS })
      client.on('error', onError)
      await client.connect()
      try {
        await client.query(text)
      } finally {
        await client.end()
      }
    },
    async close() {
      await Promise.all([pool.end(), committing.end()])
    },
  }
}
