import type { Queryable } from './database.ts'
import type { PartitionRange } from './partitions.ts'
import type { BalanceRow } from './read-balances.ts'

/** A file with the entries of a partition that is no longer in the database. */
export interface LedgerArchive extends PartitionRange {
  readonly entries: bigint
  readonly postings: bigint
  /** The hash of the entry before the first one. */
  readonly before: Uint8Array
  /** The hash of the last entry. */
  readonly hash: Uint8Array
  /** The time of the last entry. */
  readonly lastAt: Date
  /** Its name, without the folder. */
  readonly file: string
}

/** Reads the archives, oldest first. Together they have the entries before the first one of the database. */
export async function readArchives(db: Queryable): Promise<LedgerArchive[]> {
  const rows = await db.query<LedgerArchive>(
    `select first_seq as first, last_seq as last, entries, postings, hash_before as before, hash, last_at as "lastAt", file
     from ledger_archives order by first_seq`,
  )
  return rows.map((row) => ({ ...row, before: new Uint8Array(row.before), hash: new Uint8Array(row.hash) }))
}

/** The last archived entry. The next one is the first of the database. */
export interface ArchiveEnd {
  readonly seq: bigint
  readonly hash: Uint8Array
  readonly at: Date
}

/** Reads where the archives end. `undefined` while there is none: then the database has all entries. */
export async function readArchiveEnd(db: Queryable): Promise<ArchiveEnd | undefined> {
  const [row] = await db.query<ArchiveEnd>(
    'select last_seq as seq, hash, last_at as at from ledger_archives order by last_seq desc limit 1',
  )
  return row && { ...row, hash: new Uint8Array(row.hash) }
}

/** Reads where the archives end, if one of these accounts has entries in them. `accounts`: any, unlike those of most reads. */
export async function readArchiveEndOf(db: Queryable, accounts: readonly string[]): Promise<ArchiveEnd | undefined> {
  const [row] = await db.query('select 1 from archived_balances where account = any($1::text[]) limit 1', [accounts])
  return row && readArchiveEnd(db)
}

/** Reads the balances after the last archived entry, of these accounts or of all. Zero: the account has only archived entries of it. */
export function readArchivedBalances(db: Queryable, accounts?: readonly string[]): Promise<BalanceRow[]> {
  return db.query<BalanceRow>(
    `select account, asset, units from archived_balances where $1::text[] is null or account = any($1::text[])
     order by account collate "C", asset`,
    [accounts ?? null],
  )
}

/** Entries that a reader needs are in archives, and not in the database. The message names the files. */
export class EntriesArchived extends Error {
  override readonly name = 'EntriesArchived'
}

/** Most files that a message names. */
const MAX_NAMED = 20

/** @throws EntriesArchived if the entry after this one is in an archive. */
export async function requireEntriesAfter(db: Queryable, after: bigint): Promise<void> {
  const end = await readArchiveEnd(db)
  if (!end || after >= end.seq) return
  const needed = (await readArchives(db)).filter(({ last }) => last > after)
  const named = needed.slice(0, MAX_NAMED).map(({ file, first, last, hash }) => {
    return `${file} (entries ${first} to ${last}, closing hash 0x${Buffer.from(hash).toString('hex')})`
  })
  const more = needed.length > MAX_NAMED ? [`and ${needed.length - MAX_NAMED} more`] : []
  throw new EntriesArchived(
    `The entries ${after + 1n} to ${end.seq} are no longer in the database. They are in the archives ${[...named, ...more].join(', ')}.`,
  )
}
