import type { Queryable } from './database.ts'

/** Entries in one partition of `entries` and of `owner_postings`: about 30 GB, an hour at the highest rate. */
const ENTRIES_PER_PARTITION = 20_000_000

/**
 * Adds the partitions for the next entries: two are always empty. The leader calls it regularly; without a partition, the
 * writer could add no entry.
 */
export async function addPartitions(db: Queryable, size = ENTRIES_PER_PARTITION): Promise<void> {
  await db.query('select add_ledger_partitions($1::bigint)', [size])
}
