import { createHash } from 'node:crypto'
import pg from 'pg'
import { type Database, type PoolState, type Queryable, type Statement, sqlState } from './database.ts'

const { builtins } = pg.types
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, BigInt],
  [builtins.NUMERIC, BigInt],
  [builtins.TIMESTAMPTZ, (text) => new Date(text)],
])

/** How the values of columns are read: see `Queryable.query`. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    (format === 'text' ? parsers.get(oid) : undefined) ??
    pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
}

/**
 * Time without a statement after which PostgreSQL ends a transaction. Otherwise a writer that hangs in the middle of a batch
 * would keep the lease row locked and block every other writer.
 */
const MAX_IDLE_IN_TRANSACTION_MS = 5_000

/**
 * Default time limit of a statement. The largest batch takes tenths of a second, and a lock is held
 * {@link MAX_IDLE_IN_TRANSACTION_MS} at most. Scripts, which are migrations, may take longer.
 */
const MAX_QUERY_MS = 15_000

/**
 * PostgreSQL cancels a statement at its time limit. This much later the client gives up too: a host that vanished sends
 * neither responses nor errors, and would otherwise block its callers for the 15 minutes until TCP gives up.
 */
const VANISHED_MS = 1_000

/** Time limit for opening a connection or waiting for a free one. Callers have given up by then. */
const MAX_CONNECTING_MS = 10_000

/** Derives one name per text, so that each connection prepares a statement once. */
const names = new Map<string, string>()
export function statementName(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
    names.set(text, name)
  }
  return name
}

/**
 * Settings of the connection for commits. It writes only after `begin read write`. PostgreSQL detects a client host that
 * vanished in the middle of a batch within seconds, not hours: half a statement does not count as an idle transaction.
 */
const COMMITTING_SETTINGS = `set default_transaction_read_only = on;
  set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3`

/** PostgreSQL's warning about a commit whose wait for a synchronous standby was cancelled, for example by a time limit. */
const UNREPLICATED = /^canceling (the )?wait for synchronous replication/

type Notice = { readonly message?: string | undefined }

/**
 * Returns the error of a commit that no standby has confirmed. It is done here, and a failover would lose it, so it must not be
 * acknowledged.
 */
function unreplicated({ message = '' }: Notice): Error | undefined {
  return UNREPLICATED.test(message) ? new Error(message) : undefined
}

type Run = <Row extends object>(on: pg.PoolClient, text: string, params?: readonly unknown[]) => Promise<Row[]>

/**
 * Sends all concurrent calls through one connection, which runs them in the order sent.
 *
 * Statements are sent without waiting for the response to `begin`. If `begin` failed (cancelled, for example), each of them
 * would commit as a separate transaction. So the connection is read-only except after `begin read write`.
 *
 * @param pool holds this one connection.
 */
function committingInOrder(pool: pg.Pool, run: Run): Database['commitInOrder'] {
  let connecting: Promise<pg.PoolClient> | undefined
  let pending = 0
  let broken: Error | undefined
  const note = (error: Error) => {
    broken = error
  }
  const noteUnreplicated = (notice: Notice) => {
    broken ??= unreplicated(notice)
  }
  const known = new WeakSet<pg.PoolClient>()
  const connect = async () => {
    const client = await pool.connect()
    client.on('error', note)
    client.on('notice', noteUnreplicated)
    if (!known.has(client)) {
      await client.query(COMMITTING_SETTINGS).catch((error) => {
        client.off('error', note)
        client.off('notice', noteUnreplicated)
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
    // The first failure has the cause; the later ones only follow from it.
    const failed = sent.find((each) => each.status === 'rejected')
    // A failed commit (cancelled, for example) may leave its transaction open: the connection must not be reused.
    if (sent.at(-1)?.status === 'rejected') broken ??= failed?.reason
    if (failed) throw failed.reason
    const commit = sent.at(-1) as PromiseFulfilledResult<pg.QueryResult>
    // PostgreSQL responds to the commit of a failed transaction with ROLLBACK, and no error.
    if (commit.value.command !== 'COMMIT') throw new Error('the transaction was rolled back at its commit')
    if (broken) throw broken
  }
  return async (statements) => {
    connecting ??= connect()
    pending++
    const connection = connecting
    try {
      await send(await connection, statements)
    } catch (error) {
      // An error with an SQLSTATE came through a working connection.
      if (sqlState(error) === undefined) broken ??= error as Error
      throw error
    } finally {
      if (--pending === 0) {
        connecting = undefined
        const reason = broken
        broken = undefined
        connection.then(
          (client) => {
            client.off('error', note)
            client.off('notice', noteUnreplicated)
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
  const noteUnreplicated = (notice: Notice) => {
    broken ??= unreplicated(notice)
  }
  client.on('error', note)
  client.on('notice', noteUnreplicated)
  try {
    await client.query('begin')
    const queryable: Queryable = { query: (text, params) => run(client, text, params) }
    const result = await work(queryable)
    const { command } = await client.query('commit')
    // PostgreSQL responds to the commit of a failed transaction with ROLLBACK, and no error.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back at its commit')
    if (broken) throw broken
    return result
  } catch (error) {
    await client.query('rollback').catch(note)
    throw error
  } finally {
    client.off('error', note)
    client.off('notice', noteUnreplicated)
    client.release(broken)
  }
}

/** Opens as many connections of a pool as the server allows. @throws the server's error if it allows none. */
async function openAll(pool: pg.Pool): Promise<void> {
  const opened = await Promise.allSettled(Array.from({ length: pool.options.max }, () => pool.connect()))
  for (const each of opened) if (each.status === 'fulfilled') each.value.release()
  if (pool.totalCount === 0) throw (opened[0] as PromiseRejectedResult).reason
}

/** Time after which a pool that the server has limited tries to grow again. */
const LIMITED_MS = 10_000
/** Each failure lowers the limit of a pool, so a few are enough to reach the number of connections that work. */
const MOST_ATTEMPTS = 10

/** Takes a connection of a pool. Where no other one can be opened, waits for one that is open. */
async function takeKept(pool: pg.Pool, max: number): Promise<pg.PoolClient> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.connect()
    } catch (error) {
      if (pool.totalCount === 0 || attempt === MOST_ATTEMPTS) throw error
      pool.options.max = pool.totalCount
      setTimeout(() => {
        pool.options.max = max
      }, LIMITED_MS).unref()
    }
  }
}

/**
 * SQLSTATEs of a connection that ends, or whose server takes no writes any more. With another one, the error came through a
 * connection that works.
 */
const UNUSABLE = /^(08\w{3}|57P\d\d|25006)$/

/** Runs a statement outside a transaction: PostgreSQL commits it alone. */
async function standalone<Result>(
  connect: () => Promise<pg.PoolClient>,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await connect()
  let isBroken = false
  let failure: Error | undefined
  const noteUnreplicated = (notice: Notice) => {
    failure ??= unreplicated(notice)
  }
  client.on('notice', noteUnreplicated)
  try {
    const result = await work(client)
    if (failure) throw failure
    return result
  } catch (error) {
    const state = sqlState(error)
    isBroken = state === undefined || UNUSABLE.test(state)
    throw error
  } finally {
    client.off('notice', noteUnreplicated)
    client.release(isBroken)
  }
}

function poolState(name: string, { totalCount, idleCount, waitingCount }: pg.Pool): PoolState {
  return { pool: name, busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}

/** A pooler stands between this server and PostgreSQL, and takes away something that every connection needs. */
export class PoolerFault extends Error {}

/** PgBouncer's refusal of a connection that sets a time limit. */
const REJECTED_PARAMETER = /^unsupported startup parameter: \w+/

/** Explains an error with which a pooler refuses a connection. */
function explained(error: unknown): unknown {
  const { message = '' } = error as Partial<Error>
  if (!REJECTED_PARAMETER.test(message)) return error
  return new PoolerFault(
    `A pooler such as PgBouncer at DATABASE_URL refuses the connection: ${message}. Connect to PostgreSQL directly, or set pool_mode to session and ignore_startup_parameters to statement_timeout, idle_in_transaction_session_timeout.`,
    { cause: error },
  )
}

/**
 * Refuses a pooler in transaction mode. It gives two clients the same connection of PostgreSQL, one after the other, so settings and
 * prepared statements of one reach the other.
 */
async function refuseSharedConnection(pools: readonly pg.Pool[]): Promise<void> {
  const pids = new Set<number>()
  for (const pool of pools) {
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
    for (const { pid } of rows) pids.add(pid)
  }
  if (pids.size === pools.length) return
  throw new PoolerFault(
    'A pooler such as PgBouncer at DATABASE_URL is in transaction mode, which mixes up the settings of connections. Set its pool_mode to session, or connect to PostgreSQL directly.',
  )
}

/** Opens the connections that are kept, or one to see that it works. */
async function openPools(pool: pg.Pool, committing: pg.Pool, keepsConnections: boolean): Promise<void> {
  try {
    if (keepsConnections) {
      // The committing one first: without it nothing is ever written.
      await refuseSharedConnection([committing, pool])
      await openAll(pool)
    } else await pool.query('select 1')
  } catch (error) {
    await Promise.all([pool.end(), committing.end()])
    throw explained(error)
  }
}

/**
 * Connects to a PostgreSQL 15 or later.
 *
 * @param url a `postgres://` address; a secret, never logged.
 * @param maxConnections limit without the connection that commits in order.
 * @param keepsConnections opens all connections now and keeps them: other programs can take up what the server allows. One of
 * them is enough to work.
 * @param maxQueryMs time limit of a statement: PostgreSQL cancels it, with the SQLSTATE `QUERY_CANCELLED`.
 * @param name what the database's administrator sees in `pg_stat_activity`.
 * @param onError receives the error of an idle connection; the pool replaces the connection automatically.
 * @throws PoolerFault for a pooler that does not keep a connection for each client. One in transaction mode is found where
 * connections are kept.
 */
export async function openPostgresDatabase(
  url: string,
  {
    maxConnections = 10,
    maxQueryMs = MAX_QUERY_MS,
    keepsConnections = false,
    name = 'clearwell',
    onError = () => {},
  }: {
    maxConnections?: number
    maxQueryMs?: number
    keepsConnections?: boolean
    name?: string
    onError?: (error: Error) => void
  } = {},
): Promise<Database> {
  const options = {
    connectionString: url,
    application_name: name,
    types,
    connectionTimeoutMillis: MAX_CONNECTING_MS,
    statement_timeout: maxQueryMs,
    query_timeout: maxQueryMs + VANISHED_MS,
    // Sends queued statements without waiting for the response to the one before.
    pipeline: true,
    idle_in_transaction_session_timeout: MAX_IDLE_IN_TRANSACTION_MS,
    ...(keepsConnections ? { idleTimeoutMillis: 0 } : {}),
  }
  const pool = new pg.Pool({ ...options, max: maxConnections })
  const committing = new pg.Pool({ ...options, max: 1 })
  for (const each of [pool, committing]) {
    each.on('error', onError)
    // PostgreSQL may close a connection before the pool listens for errors: an unhandled error would end the process.
    each.on('connect', (client) => client.on('error', () => {}))
  }
  const connect = keepsConnections ? () => takeKept(pool, maxConnections) : () => pool.connect()
  const run = async <Row extends object>(on: pg.PoolClient, text: string, params?: readonly unknown[]) =>
    (await on.query<Row>({ name: statementName(text), text, values: params ? [...params] : [] })).rows

  await openPools(pool, committing, keepsConnections)
  return {
    kind: 'postgres',
    commitInOrder: committingInOrder(committing, run),
    query: (text, params) => standalone(connect, (client) => run(client, text, params)),
    transaction: (work) => inTransaction(pool, run, work),
    pools: () => [poolState('statements', pool), poolState('commits', committing)],
    async script(text) {
      // A separate connection without a query timeout, because a migration may take long.
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
