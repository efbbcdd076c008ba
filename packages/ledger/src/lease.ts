import type { Database, Queryable } from './database.ts'
import { GENESIS_HASH } from './entry-hash.ts'

/** The right to write, as one holder has it. */
export interface Lease {
  readonly fence: bigint
  /** How many batches were committed, ever. */
  batch: bigint
}

/** Another writer holds the ledger now, so this one must not write. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
  constructor() {
    super('the writer lease is held by another')
  }
}

/**
 * Takes the lease if it is free: never held, given back, or not renewed for `ttlMs` by the database's clock.
 *
 * @param force takes it in any case: for a database that only this process can reach.
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
 * The first statement of each batch: locks the lease row until the commit, so that no other writer can take over in
 * between, and counts the batch.
 *
 * @throws LeaseLost when the row has another fence.
 */
export async function renewLease(tx: Queryable, lease: Lease): Promise<void> {
  const rows = await tx.query(
    'update writer_lease set batch = batch + 1, renewed_at = clock_timestamp() where id = 1 and fence = $1 and batch = $2 returning batch',
    [lease.fence.toString(), lease.batch.toString()],
  )
  if (rows.length === 0) throw new LeaseLost()
}

/** Gives the lease back, so that the next writer need not wait for it to run out. */
export async function releaseLease(db: Database, lease: Lease): Promise<void> {
  await db.query('update writer_lease set holder = null where id = 1 and fence = $1', [lease.fence.toString()])
}

/**
 * Whether the batch after `lease.batch` is committed: what decides after a commit whose answer was lost. Waits for the
 * row's lock, because that commit may still be under way at the other end of the broken connection.
 */
export async function isNextBatchCommitted(db: Database, lease: Lease): Promise<boolean> {
  const [row] = await db.query<{ fence: bigint; batch: bigint }>(
    'select fence, batch from writer_lease where id = 1 for update',
  )
  if (!row || row.fence !== lease.fence) throw new LeaseLost()
  return row.batch === lease.batch + 1n
}

/** The last entry of the ledger: where the next one goes on. */
export async function readTip(db: Queryable): Promise<{ seq: bigint; hash: Uint8Array }> {
  const [row] = await db.query<{ seq: bigint; hash: Uint8Array }>(
    'select seq, hash from entries order by seq desc limit 1',
  )
  return row ? { seq: row.seq, hash: new Uint8Array(row.hash) } : { seq: 0n, hash: GENESIS_HASH }
}
