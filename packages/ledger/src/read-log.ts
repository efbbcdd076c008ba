import type { Queryable } from './database.ts'

/** Reads the end of the primary's log, in bytes. Every commit that was acknowledged before is before it. */
export async function readLogEnd(db: Queryable): Promise<bigint> {
  const [row] = await db.query<{ position: bigint }>(`select pg_current_wal_flush_lsn() - '0/0'::pg_lsn as position`)
  return row?.position ?? 0n
}

/** How far a standby has come. */
export interface StandbyProgress {
  /** In the primary's log, in bytes. Later statements on the same connection see everything up to here. */
  readonly position: bigint
  /**
   * The age of its copy of the ledger, in milliseconds: time since the last renewal of the writer's lease that it has. The leader renews
   * the lease at least once a second.
   */
  readonly ageMs: number
}

export async function readStandbyProgress(db: Queryable): Promise<StandbyProgress> {
  const [row] = await db.query<{ position: bigint; age_ms: number | null }>(
    `select
       coalesce(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end, '0/0')
         - '0/0'::pg_lsn as position,
       (extract(epoch from clock_timestamp() - (select renewed_at from writer_lease where id = 1)) * 1000)::float8 as age_ms`,
  )
  return { position: row?.position ?? 0n, ageMs: Math.max(0, row?.age_ms ?? Number.POSITIVE_INFINITY) }
}
