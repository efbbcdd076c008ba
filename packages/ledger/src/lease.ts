import type { Database, Statement } from './database.ts'

/** The right to write, held by one writer at a time. */
export interface Lease {
  readonly fence: bigint
  /** Number of all batches ever committed. */
  batch: bigint
}

/** Another writer holds the ledger now, so this one must not write. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
  constructor(message = 'another process holds the writer lease') {
    super(message)
  }
}

/** SQLSTATE of a rejected batch: another writer holds the lease, or the batch before it is not committed. */
export const LEASE_LOST = 'CW001'

/**
 * Takes the lease if it is free: never held, released, or not renewed for `ttlMs` by the database's clock.
 *
 * @param force takes it even when it is not free: for a database that only this process can reach.
 */
export async function takeLease(
  db: Database,
  { holder, ttlMs, force = false }: { holder: string; ttlMs: number; force?: boolean },
): Promise<Lease | undefined> {
  const [row] = await db.query<{ fence: bigint; batch: bigint }>(
    `update writer_lease set fence = fence + 1, holder = $1, renewed_at = clock_timestamp()
     where id = 1 and ($2::boolean or holder is null or renewed_at < clock_timestamp() - $3::integer * interval '1 millisecond')
     returning fence, batch`,
    [holder, force, ttlMs],
  )
  return row
}

/**
 * Raises the number of batches to at least `number`, in a ledger that is restored: a later batch must not get the number of an earlier one.
 *
 * @returns false if a writer holds the lease; nothing is changed then.
 */
export async function raiseBatch(
  db: Database,
  { number, ttlMs, force = false }: { number: bigint; ttlMs: number; force?: boolean },
): Promise<boolean> {
  const rows = await db.query(
    `update writer_lease set batch = greatest(batch, $1::bigint) where id = 1
     and ($2::boolean or holder is null or renewed_at < clock_timestamp() - $3::integer * interval '1 millisecond')
     returning batch`,
    [number.toString(), force, ttlMs],
  )
  return rows.length > 0
}

/** True if the database is a standby, which takes no writes. Its copy of the lease says nothing about who leads. */
export async function isStandby(db: Database): Promise<boolean> {
  const [row] = await db.query<{ is_standby: boolean }>('select pg_is_in_recovery() as is_standby')
  return row?.is_standby ?? false
}

/**
 * Builds the first statement of each batch. It locks the lease row until the commit, so that no other writer can take over
 * in between, and counts the batch. It fails with {@link LEASE_LOST} if the row has another fence or another count.
 *
 * @param batchesBefore number of batches committed before this one.
 */
export function countBatch(lease: Lease, batchesBefore: bigint): Statement {
  return { text: 'select count_batch($1, $2)', params: [lease.fence.toString(), batchesBefore.toString()] }
}

/** Releases the lease, so that the next writer does not have to wait for it to expire. */
export async function releaseLease(db: Database, lease: Lease): Promise<void> {
  await db.query('update writer_lease set holder = null where id = 1 and fence = $1', [lease.fence.toString()])
}

/**
 * Renews the lease with a new fence, after a commit whose response was lost. The returned lease has the number of committed
 * batches, and batches still in flight on the broken connection can no longer commit. Waits for the row's lock, because
 * that commit may still be running in the database. It may be called again when its own response was lost.
 *
 * @param holder names this process, and no other.
 * @returns `undefined` if another writer holds the lease now.
 */
export async function refreshLease(
  db: Database,
  { fence, holder }: Pick<Lease, 'fence'> & { readonly holder: string },
): Promise<Lease | undefined> {
  const [row] = await db.query<{ fence: bigint; batch: bigint }>(
    `update writer_lease set fence = fence + 1, renewed_at = clock_timestamp()
     where id = 1 and fence >= $1 and holder = $2 returning fence, batch`,
    [fence.toString(), holder],
  )
  return row
}
