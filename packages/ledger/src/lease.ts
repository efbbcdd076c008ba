import type { Database, Statement } from './database.ts'

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

/** SQLSTATE of a batch that may not be written: the lease is another's, or the batch before it is not committed. */
export const LEASE_LOST = 'CW001'

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
 * between, and counts the batch. Fails with {@link LEASE_LOST} where the row has another fence or another count.
 *
 * @param batchesBefore how many batches there are when this one's turn comes.
 */
export function countBatch(lease: Lease, batchesBefore: bigint): Statement {
  return { text: 'select count_batch($1, $2)', params: [lease.fence.toString(), batchesBefore.toString()] }
}

/** Gives the lease back, so that the next writer need not wait for it to run out. */
export async function releaseLease(db: Database, lease: Lease): Promise<void> {
  await db.query('update writer_lease set holder = null where id = 1 and fence = $1', [lease.fence.toString()])
}

/**
 * Takes the lease anew from oneself, after a commit whose answer was lost: answers how many batches are committed, and
 * whatever of the broken connection is still on its way can no longer be. Waits for what holds the row's lock, because
 * that commit may still be under way at the other end.
 *
 * @returns `undefined` when another holds the lease now.
 */
export async function refreshLease(db: Database, lease: Lease): Promise<Lease | undefined> {
  const [row] = await db.query<{ fence: bigint; batch: bigint }>(
    `update writer_lease set fence = fence + 1, renewed_at = clock_timestamp() where id = 1 and fence = $1
     returning fence, batch`,
    [lease.fence.toString()],
  )
  return row
}
