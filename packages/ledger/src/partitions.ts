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

/** The entries that a partition can hold. */
export interface PartitionRange {
  readonly first: bigint
  /** Included. */
  readonly last: bigint
}

/** A partition of `entries` with what is in it. */
export interface Partition extends PartitionRange {
  /** The ledger has entries after its last one, so it never changes again. */
  readonly isSealed: boolean
}

/** Reads the partitions that have entries, oldest first. */
export async function readPartitions(db: Queryable): Promise<Partition[]> {
  const rows = await db.query<Partition>(
    `with bounds as (
       select regexp_match(pg_get_expr(child.relpartbound, child.oid), 'FROM \\(''?(\\d+)''?\\) TO \\(''?(\\d+)''?\\)') as found
       from pg_inherits join pg_class child on child.oid = inhrelid where inhparent = 'entries'::regclass
     ), tip as (select coalesce(max(seq), 0) as seq from entries)
     -- The first entry is 1: the first partition begins with a number that no entry has.
     select greatest(found[1]::bigint, 1) as first, found[2]::bigint - 1 as last, found[2]::bigint <= tip.seq as "isSealed"
     from bounds, tip where found[1]::bigint <= tip.seq and tip.seq > 0 order by 1`,
  )
  return rows
}
