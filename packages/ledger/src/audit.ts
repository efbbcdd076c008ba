import type { Queryable } from './database.ts'
import { entryHash, GENESIS_HASH, type Posting } from './entry-hash.ts'

/** How many entries the audit reads at a time. */
const PAGE = 5_000

/**
 * Reads the whole ledger and returns its faults as sentences. An empty list means that the books are exact: each entry sums
 * to zero for each asset, no account but `vault` ever went below zero, each balance is the sum of its postings, each posting
 * records the balance after it, and the hash chain is unbroken.
 */
export async function auditBooks(db: Queryable): Promise<string[]> {
  const faults: string[] = []
  const balances = new Map<string, bigint>()
  let hash = GENESIS_HASH
  let seq = 0n
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
    const summed = balances.get(`${account} ${asset}`) ?? 0n
    if (summed !== units) faults.push(`${account} has a balance of ${units} ${asset} but its postings sum to ${summed}`)
    balances.delete(`${account} ${asset}`)
  }
  faults.push(...(await findOwnerFaults(db)))
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

/** Compares `owner_postings`, the copy that is indexed by account, with the postings of the entries. */
async function findOwnerFaults(db: Queryable): Promise<string[]> {
  const apart = await db.query<{ entry_seq: bigint }>(
    `select coalesce(kept.entry_seq, p.entry_seq) as entry_seq
     from (select * from postings where account = 'vault' or account like 'user:%') p
     full join owner_postings kept on (p.entry_seq, p.position, p.account, p.asset, p.units, p.balance_after, p.kind)
       = (kept.entry_seq, kept.position, kept.account, kept.asset, kept.units, kept.balance_after, kept.kind)
     where p.entry_seq is null or kept.entry_seq is null
     order by 1 limit 1`,
  )
  return apart.map((row) => `owner_postings differs from entry ${row.entry_seq}`)
}
