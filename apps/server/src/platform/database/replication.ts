import type { Queryable } from '@clearwell/ledger/database'

/** How PostgreSQL copies the ledger to other machines. */
interface Replication {
  /** Connected standbys, in the order of their names. */
  readonly standbys: readonly string[]
  /** A commit waits until a standby has it. */
  readonly isSynchronous: boolean
}

/** Programs that copy the log and are no standby. */
const NO_STANDBYS = ['pg_basebackup', 'pg_receivewal']

/**
 * Reads how the database is replicated. It needs no privilege: a role that may not see a standby's state still sees its name,
 * and whether commits wait is a setting. Where no named standby is connected, commits wait for ever, and nothing is lost.
 */
export async function readReplication(db: Queryable): Promise<Replication> {
  const [row] = await db.query<{ standbys: string[]; is_synchronous: boolean }>(
    `select array(
         select application_name from pg_stat_replication where application_name <> all ($1::text[]) and not exists (
           select from pg_replication_slots where active_pid = pid and slot_type = 'logical')
         order by application_name) as standbys,
       current_setting('synchronous_standby_names') <> ''
         and current_setting('synchronous_commit') not in ('off', 'local') as is_synchronous`,
    [NO_STANDBYS],
  )
  return { standbys: row?.standbys ?? [], isSynchronous: row?.is_synchronous ?? false }
}

/** Why a failover could lose commands that were acknowledged; `undefined` where none can. */
export function replicationFault({ standbys, isSynchronous }: Replication): string | undefined {
  if (standbys.length === 0 || isSynchronous) return undefined
  return `no commit waits for a standby (${standbys.join(', ')}): a failover can lose what was acknowledged. Set synchronous_standby_names, see docs/recipes/replicate-the-database.md`
}
