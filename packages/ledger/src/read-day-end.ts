import type { AssetId } from '@clearwell/money/asset'
import type { Queryable } from './database.ts'
import { GENESIS_HASH } from './entry-hash.ts'

/** Reads the last entry before a moment. Zero and the genesis hash if there is none. */
export async function readLastEntryBefore(db: Queryable, at: Date): Promise<{ seq: bigint; hash: Uint8Array }> {
  const [row] = await db.query<{ seq: bigint; hash: Uint8Array }>(
    'select seq, hash from entries where at < $1 order by at desc, seq desc limit 1',
    [at],
  )
  return row ? { seq: row.seq, hash: new Uint8Array(row.hash) } : { seq: 0n, hash: GENESIS_HASH }
}

/**
 * Reads an account's balances without the postings of later entries, except those of one kind. It reads every later entry,
 * so it is for a moment that has just passed.
 */
export function readBalancesWithoutLater(
  db: Queryable,
  { account, after, exceptKind }: { account: string; after: bigint; exceptKind: string },
): Promise<{ asset: AssetId; units: bigint }[]> {
  return db.query(
    `select asset, units - coalesce((
       select sum(later.units) from postings later join entries on seq = entry_seq
       where entry_seq > $2 and account = $1 and later.asset = balances.asset and entries.kind <> $3
     ), 0) as units
     from balances where account = $1 order by asset`,
    [account, after.toString(), exceptKind],
  )
}
