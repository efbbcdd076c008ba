import { readArchivedBalances, readArchiveEnd, readArchives } from './archives.ts'
import type { Queryable } from './database.ts'
import { entryHash, GENESIS_HASH, type Posting } from './entry-hash.ts'

/** How many entries the audit reads at a time. */
const PAGE = 5_000

/**
 * Reads the whole ledger and returns its faults as sentences. An empty list means that the books are exact: each entry sums
 * to zero for each asset, no account but `vault` ever went below zero, each balance is the sum of its postings, each posting
 * records the balance after it, and the hash chain is unbroken. Entries in archives are taken as true, with the balances at their end:
 * `clearwell-verify` reads those.
 */
export async function auditBooks(db: Queryable): Promise<string[]> {
  const archived = await readArchivedBalances(db)
  const balances = new Map(archived.map(({ account, asset, units }) => [`${account} ${asset}`, units]))
  const faults = [...(await findArchiveFaults(db)), ...findSumFaults(archived)]
  return [...faults, ...(await auditAfter(db, await readStart(db), balances))]
}

/** Where an audit of all entries begins: after the archives. */
async function readStart(db: Queryable): Promise<Start> {
  const end = await readArchiveEnd(db)
  return { ...(end ?? { seq: 0n, hash: GENESIS_HASH }), isWhole: true }
}

/** Finds an archive that does not follow the one before. */
async function findArchiveFaults(db: Queryable): Promise<string[]> {
  let [seq, hash] = [0n, GENESIS_HASH]
  for (const { first, last, before, hash: own, file } of await readArchives(db)) {
    if (first !== seq + 1n || Buffer.compare(before, hash) !== 0)
      return [`the archive ${file} does not follow entry ${seq}`]
    seq = last
    hash = own
  }
  return []
}

function findSumFaults(archived: readonly { readonly asset: string; readonly units: bigint }[]): string[] {
  const sums = new Map<string, bigint>()
  for (const { asset, units } of archived) sums.set(asset, (sums.get(asset) ?? 0n) + units)
  return [...sums].flatMap(([asset, sum]) =>
    sum === 0n ? [] : [`the balances at the end of the archives do not sum to zero in ${asset}`],
  )
}

/** The entries that an audit read, with its faults. */
export interface RecentAudit {
  readonly faults: string[]
  readonly after: bigint
}

/**
 * Reads the entries from `since` on, and returns the faults that they show. It takes the entry before them as true, with its
 * hash, and so the balances that the accounts of these entries had there. Accounts without an entry since then are not looked at.
 * Before the first entry of the database, it is an audit of the whole.
 */
export async function auditSince(db: Queryable, since: Date): Promise<RecentAudit> {
  const [row] = await db.query<{ seq: bigint; hash: Uint8Array }>(
    'select seq, hash from entries where at < $1::timestamptz order by at desc, seq desc limit 1',
    [since],
  )
  if (!row) return { faults: await auditBooks(db), after: (await readStart(db)).seq }
  const start = { ...row, isWhole: false }
  return { faults: await auditAfter(db, start, await balancesAt(db, row.seq)), after: row.seq }
}

/** The balances that the accounts of the entries after this one had before, by their first posting since. */
async function balancesAt(db: Queryable, seq: bigint): Promise<Map<string, bigint>> {
  const rows = await db.query<{ account: string; asset: string; units: bigint }>(
    `select distinct on (account, asset) account, asset, balance_after - units as units
     from postings where entry_seq > $1 order by account, asset, entry_seq, position`,
    [seq.toString()],
  )
  return new Map(rows.map(({ account, asset, units }) => [`${account} ${asset}`, units]))
}

interface Start {
  readonly seq: bigint
  readonly hash: Uint8Array
  /** The audit reads every entry of the database, so it looks at all balances. */
  readonly isWhole: boolean
}

/** Audits the entries after one that is known, from the balances there. */
async function auditAfter(db: Queryable, start: Start, balances: Map<string, bigint>): Promise<string[]> {
  const faults: string[] = []
  let { seq, hash } = start
  for (;;) {
    const page = await readEntries(db, seq)
    if (page.length === 0) break
    for (const entry of page) {
      if (entry.seq !== seq + 1n) faults.push(`entry ${seq + 1n} is missing`)
      seq = entry.seq
      hash = entryHash(hash, entry)
      if (Buffer.compare(hash, entry.hash) !== 0) return [...faults, `the hash chain breaks at entry ${seq}`]
      faults.push(...findFaults(entry, balances))
    }
  }
  const kept = await db.query<{ account: string; asset: string; units: bigint }>(
    'select account, asset, units from balances',
  )
  for (const { account, asset, units } of kept) {
    const summed = balances.get(`${account} ${asset}`) ?? (start.isWhole ? 0n : units)
    if (summed !== units) faults.push(`${account} has a balance of ${units} ${asset} but its postings sum to ${summed}`)
    balances.delete(`${account} ${asset}`)
  }
  faults.push(...(await findOwnerFaults(db, start)))
  for (const [key, units] of balances) if (units !== 0n) faults.push(`${key} has postings but no balance`)
  return faults
}

interface ReadPosting extends Posting {
  readonly balanceAfter: bigint
}

interface ReadEntry {
  readonly seq: bigint
  readonly kind: string
  readonly at: Date
  readonly reference: string
  readonly hash: Uint8Array
  readonly postings: ReadPosting[]
}

function findFaults(entry: ReadEntry, balances: Map<string, bigint>): string[] {
  const faults: string[] = []
  const sums = new Map<string, bigint>()
  for (const { account, asset, units, balanceAfter } of entry.postings) {
    const key = `${account} ${asset}`
    const balance = (balances.get(key) ?? 0n) + units
    balances.set(key, balance)
    sums.set(asset, (sums.get(asset) ?? 0n) + units)
    if (balance !== balanceAfter)
      faults.push(`entry ${entry.seq} records ${balanceAfter} in ${key}, but the balance is ${balance}`)
    if (balance < 0n && account !== 'vault') faults.push(`entry ${entry.seq} takes ${key} below zero`)
  }
  for (const [asset, sum] of sums) if (sum !== 0n) faults.push(`entry ${entry.seq} does not sum to zero in ${asset}`)
  return faults
}

/** Reads the next entries, at most 5,000. */
export async function readEntries(db: Queryable, after: bigint): Promise<ReadEntry[]> {
  const entries = await db.query<Omit<ReadEntry, 'postings'>>(
    'select seq, kind, at, reference, hash from entries where seq > $1 order by seq limit $2',
    [after.toString(), PAGE],
  )
  const last = entries.at(-1)
  if (!last) return []
  const postings = await db.query<ReadPosting & { entry_seq: bigint }>(
    `select entry_seq, account, asset, units, balance_after as "balanceAfter" from postings
     where entry_seq > $1 and entry_seq <= $2 order by entry_seq, position`,
    [after.toString(), last.seq.toString()],
  )
  const byEntry = Map.groupBy(postings, (posting) => posting.entry_seq)
  return entries.map((entry) => ({ ...entry, postings: byEntry.get(entry.seq) ?? [] }))
}

/** Compares `owner_postings`, the copy that is indexed by account, with the postings of the entries after one. */
async function findOwnerFaults(db: Queryable, { seq: after, isWhole }: Start): Promise<string[]> {
  // The copy has no index by entry alone, so those of some entries are read account by account.
  const copies = isWhole
    ? '(select * from owner_postings where entry_seq > $1)'
    : `(select o.* from (select distinct account, asset from postings where entry_seq > $1) mine cross join lateral (
           select * from owner_postings where account = mine.account and asset = mine.asset and entry_seq > $1 offset 0
         ) o)`
  const apart = await db.query<{ entry_seq: bigint }>(
    `select coalesce(kept.entry_seq, p.entry_seq) as entry_seq
     from (select * from postings where entry_seq > $1 and (account = 'vault' or account like 'user:%')) p
     full join ${copies} kept on (p.entry_seq, p.position, p.account, p.asset, p.units, p.balance_after, p.kind)
       = (kept.entry_seq, kept.position, kept.account, kept.asset, kept.units, kept.balance_after, kept.kind)
     where p.entry_seq is null or kept.entry_seq is null
     order by 1 limit 1`,
    [after.toString()],
  )
  return apart.map((row) => `owner_postings differs from entry ${row.entry_seq}`)
}
