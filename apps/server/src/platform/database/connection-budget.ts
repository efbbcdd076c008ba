import type { Queryable } from '@clearwell/ledger/database'
import type { PlatformConfig } from '../../config/platform-config.ts'

/** The writer loads state and stored responses of a batch at the same time. */
export const WRITER_CONNECTIONS = 2
/** All connections that the writer keeps open: one more commits. */
const KEPT_CONNECTIONS = WRITER_CONNECTIONS + 1

/** The writer keeps its connections open under this name, so they show how many servers there are. */
export const WRITER_NAME = 'clearwell writer'

/** With a replica, one more asks the primary where it is. */
const POSITION_CONNECTIONS = 1

/**
 * The most connections that one server opens to one PostgreSQL. A migration at the start uses one of them. Those to a replica count:
 * for a moment after its promotion, a standby has both kinds.
 */
export function connectionsPerServer(
  { readConnections, replicaConnections }: Pick<PlatformConfig['database'], 'readConnections' | 'replicaConnections'>,
  hasReplica: boolean,
): number {
  return readConnections + KEPT_CONNECTIONS + (hasReplica ? replicaConnections + POSITION_CONNECTIONS : 0)
}

interface ConnectionBudget {
  /** The lowest of three limits: PostgreSQL's without the reserved ones, the role's and the database's. */
  readonly allowed: number
  /** The most that all servers of the ledger may open. */
  readonly needed: number
}

export async function readConnectionBudget(db: Queryable, perServer: number): Promise<ConnectionBudget> {
  const [row] = await db.query<{ allowed: number; servers: number }>(
    `select least(
         current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
           - coalesce(current_setting('reserved_connections', true)::integer, 0),
         (select nullif(rolconnlimit, -1) from pg_roles where rolname = session_user),
         (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as allowed,
       (select ceil(count(*) / $1::numeric)::integer from pg_stat_activity
        where application_name = $2 and datname = current_database()) as servers`,
    [KEPT_CONNECTIONS, WRITER_NAME],
  )
  return { allowed: row?.allowed ?? 0, needed: perServer * Math.max(1, row?.servers ?? 1) }
}

/** Why connections can run out; `undefined` where they cannot. */
export function budgetFault({ allowed, needed }: ConnectionBudget): string | undefined {
  if (needed <= allowed) return undefined
  return `PostgreSQL allows ${allowed} connections, and the servers may open ${needed}: raise max_connections or the limit of the role, or lower database.readConnections`
}
