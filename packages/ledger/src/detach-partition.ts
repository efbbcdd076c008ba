import { type LedgerArchive, readArchivedBalances } from './archives.ts'
import { arrayLiteral } from './array-literal.ts'
import { type Queryable, sqlState } from './database.ts'
import type { HashedEntry, Posting } from './entry-hash.ts'
import { insertEntries } from './write-batch.ts'

/** Entries whose postings one statement adds to the balances: far below the time limit of a statement. */
const ENTRIES_PER_STEP = 20_000n
/** How long the tables may be waited for at a time, and so how long a command may wait behind this. */
const LOCK_WAIT = '200ms'
const LOCK_TRIES = 10

/** A long read of the ledger kept its tables. Nothing was changed. */
export class LedgerBusy extends Error {
  override readonly name = 'LedgerBusy'
}

/**
 * Drops the oldest partition, and stores the row of its archive and the balances after its last entry. The caller has compared the
 * file with the ledger. All in the transaction of `tx`; the tables are locked at its end, for the moment of the drop.
 *
 * @throws LedgerBusy if they could not be locked.
 * @throws Error if the partition is not the oldest one, or its balances do not sum to zero.
 */
export async function detachPartition(
  tx: Queryable,
  archive: Omit<LedgerArchive, 'lastAt' | 'entries'>,
  lockTries = LOCK_TRIES,
): Promise<void> {
  const { first, last, postings, before, hash, file } = archive
  const [end] = await tx.query<{ seq: bigint }>('select coalesce(max(last_seq), 0) as seq from ledger_archives')
  if (end?.seq !== first - 1n) throw new Error(`entry ${first} is not the oldest one of the database`)
  // A second call waits here, and then finds the row.
  await tx.query(
    `insert into ledger_archives (first_seq, last_seq, entries, postings, hash_before, hash, origin, last_at, file)
     select $1, $2, $2::bigint - $1::bigint + 1, $3, $4, $5,
       coalesce((select hash from entries where seq = 1), (select origin from ledger_archives limit 1)),
       (select at from entries where seq = $2), $6`,
    [first.toString(), last.toString(), postings.toString(), Buffer.from(before), Buffer.from(hash), file],
  )
  for (let from = first; from <= last; from += ENTRIES_PER_STEP) await carryBalances(tx, from, last)
  const apart = await tx.query<{ asset: string }>(
    'select asset from archived_balances group by asset having sum(units) <> 0',
  )
  if (apart[0]) throw new Error(`the balances of ${apart[0].asset} after entry ${last} do not sum to zero`)
  await lockLedger(tx, lockTries)
  const name = nameOf(first)
  await tx.query(`drop table entries_${name}, owner_postings_${name}`)
}

/** The number in the name of a partition: where it begins. The first entry is 1, and the first partition begins with 0. */
function nameOf(first: bigint): bigint {
  return first === 1n ? 0n : first
}

/** The balances after the entries of a step: the last posting of each account and asset. */
async function carryBalances(tx: Queryable, from: bigint, last: bigint): Promise<void> {
  const to = from + ENTRIES_PER_STEP - 1n < last ? from + ENTRIES_PER_STEP - 1n : last
  await tx.query(
    `insert into archived_balances (account, asset, units)
     select distinct on (account, asset) account, asset, balance_after from postings
     where entry_seq between $1 and $2 order by account, asset, entry_seq desc, position desc
     on conflict (account, asset) do update set units = excluded.units`,
    [from.toString(), to.toString()],
  )
}

/** Waits for the tables in short tries, so that commands never wait long behind a reader that this waits for. */
async function lockLedger(tx: Queryable, most: number): Promise<void> {
  await tx.query("select set_config('lock_timeout', $1, true)", [LOCK_WAIT])
  for (let tries = 1; ; tries++) {
    await tx.query('savepoint before_lock')
    try {
      await tx.query('lock table entries, owner_postings in access exclusive mode')
      return
    } catch (error) {
      await tx.query('rollback to savepoint before_lock')
      if (sqlState(error) !== '55P03') throw error
      if (tries === most) throw new LedgerBusy('a long read of the ledger keeps its tables')
      await tx.query('select pg_sleep(1)')
    }
  }
}

/** An entry of an archive, with the hash that its line names. */
export type ArchivedEntry = HashedEntry & { readonly hash: Uint8Array }

/**
 * Puts the entries of the newest archive back into the database, and forgets the archive. The caller has compared the file with the row
 * of the archive. All in the transaction of `tx`; readers and commands go on meanwhile.
 *
 * @param pages the entries in their order, some at a time.
 * @param changes the sum of the archive's postings, by `<account> <asset>`.
 */
export async function attachPartition(
  tx: Queryable,
  { first, last }: Pick<LedgerArchive, 'first' | 'last'>,
  { pages, changes }: { pages: AsyncIterable<readonly ArchivedEntry[]>; changes: ReadonlyMap<string, bigint> },
): Promise<void> {
  const removed = await tx.query<{ seq: bigint }>(
    `delete from ledger_archives where first_seq = $1 and last_seq = (select max(last_seq) from ledger_archives)
     returning last_seq as seq`,
    [first.toString()],
  )
  if (removed[0]?.seq !== last) throw new Error(`the archive of entry ${first} is not the newest one`)
  await tx.query('select add_ledger_partition($1::bigint, $2::bigint)', [`${nameOf(first)}`, `${last + 1n}`])
  const balances = await goBack(tx, changes)
  for await (const page of pages) {
    const entries = page.map((entry) => ({ ...entry, postings: withBalances(entry.postings, balances) }))
    const { text, params } = insertEntries(entries)
    await tx.query(text, params)
  }
}

/** Sets the archived balances to those before the archive, and returns these. An account that stays is in an earlier archive, or has zero. */
async function goBack(tx: Queryable, changes: ReadonlyMap<string, bigint>): Promise<Map<string, bigint>> {
  const archived = await readArchivedBalances(tx)
  const before = archived.map(({ account, asset, units }) => ({
    ...{ account, asset },
    units: units - (changes.get(`${account} ${asset}`) ?? 0n),
  }))
  const [left] = await tx.query('select 1 from ledger_archives limit 1')
  await tx.query('delete from archived_balances')
  if (left)
    await tx.query(
      `insert into archived_balances (account, asset, units) select * from unnest($1::text[], $2::text[], $3::numeric[])`,
      [
        arrayLiteral(before.map(({ account }) => account)),
        arrayLiteral(before.map(({ asset }) => asset)),
        arrayLiteral(before.map(({ units }) => units)),
      ],
    )
  return new Map(before.map(({ account, asset, units }) => [`${account} ${asset}`, units]))
}

function withBalances(postings: readonly Posting[], balances: Map<string, bigint>) {
  return postings.map((posting) => {
    const key = `${posting.account} ${posting.asset}`
    const balanceAfter = (balances.get(key) ?? 0n) + posting.units
    balances.set(key, balanceAfter)
    return { ...posting, balanceAfter }
  })
}
