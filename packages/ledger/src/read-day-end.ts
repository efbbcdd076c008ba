import type { Queryable } from './database.ts'
import { GENESIS_HASH } from './entry-hash.ts'

/** Reads the last entry before a moment, also the last one of an archive. Zero and the genesis hash if there is none. */
export async function readLastEntryBefore(db: Queryable, at: Date): Promise<{ seq: bigint; hash: Uint8Array }> {
  const [row] = await db.query<{ seq: bigint; hash: Uint8Array }>(
    `(select seq, hash from entries where at < $1 order by at desc, seq desc limit 1)
     union all (select last_seq, hash from ledger_archives where last_at < $1 order by last_seq desc limit 1)
     order by seq desc limit 1`,
    [at],
  )
  return row ? { seq: row.seq, hash: new Uint8Array(row.hash) } : { seq: 0n, hash: GENESIS_HASH }
}
