import { readEntries } from '@clearwell/ledger/audit'
import type { Database } from '@clearwell/ledger/database'
import { entryHash, GENESIS_HASH, type Posting } from '@clearwell/ledger/entry-hash'
import { insertEntries } from '@clearwell/ledger/write-batch'

const PAGE = 5_000
const [BNB, USDT] = [10n ** 16n, 62n * 10n ** 17n]
const STEP_MS = 100

/** The part of a ledger that {@link fillPartition} writes. */
export interface FilledPartition {
  /** The last entry of the partition. */
  readonly last: bigint
  /** Users who have BNB and USDT. Neighbours trade to and fro, so each has the same afterwards. */
  readonly users: readonly string[]
  readonly firstAt: Date
}

/**
 * Adds entries until a partition is full, all old and with a true chain: the few entries that a new ledger has get an old time and a new
 * hash, too. An archive of them can be checked. The headers made before no longer fit, so only new ones count.
 */
export async function fillPartition(db: Database, { last, users, firstAt }: FilledPartition): Promise<void> {
  await db.query('set session_replication_role = replica')
  let { seq, hash } = await moveBack(db, firstAt)
  const balances = await readBalancesOf(db, users)
  while (seq < last) {
    const page: Parameters<typeof insertEntries>[0][number][] = []
    while (page.length < PAGE && seq < last) {
      seq += 1n
      const at = new Date(firstAt.getTime() + Number(seq) * STEP_MS)
      const entry = { seq, kind: 'transfer', at, reference: `bench ${seq}`, postings: trade(seq, users, balances) }
      hash = entryHash(hash, entry)
      page.push({ ...entry, hash })
    }
    const { text, params } = insertEntries(page)
    await db.query(text, params)
  }
  await saveBalances(db, balances)
  await db.query('set session_replication_role = origin')
  await db.script('vacuum analyze')
}

/** Gives the entries that are there the time of the first one to come, and the hashes that belong to it. */
async function moveBack(db: Database, at: Date): Promise<{ seq: bigint; hash: Uint8Array }> {
  let [seq, hash] = [0n, GENESIS_HASH]
  for (;;) {
    const page = await readEntries(db, seq)
    if (page.length === 0) return { seq, hash }
    for (const entry of page) {
      hash = entryHash(hash, { ...entry, at })
      seq = entry.seq
      await db.query('update entries set at = $1, hash = $2 where seq = $3', [at, Buffer.from(hash), `${seq}`])
    }
  }
}

const accountOf = (user: string) => `user:${user}:available`

async function readBalancesOf(db: Database, users: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await db.query<{ account: string; asset: string; units: bigint }>(
    `select account, asset, units from balances where account = any($1::text[])`,
    [users.map(accountOf)],
  )
  return new Map(rows.map(({ account, asset, units }) => [`${account} ${asset}`, BigInt(units)]))
}

/** The stored balances of an odd number of trades are not those before. */
async function saveBalances(db: Database, balances: ReadonlyMap<string, bigint>): Promise<void> {
  for (const [key, units] of balances) {
    const [account, asset] = key.split(' ')
    await db.query('update balances set units = $3 where account = $1 and asset = $2', [account, asset, `${units}`])
  }
}

/** One user sells BNB to another one, and the next trade of the two takes it back. */
function trade(seq: bigint, users: readonly string[], balances: Map<string, bigint>) {
  const pair = Number(seq / 2n) % users.length
  const [first = '', second = ''] = [users[pair], users[(pair + 1) % users.length]].map((user) => accountOf(user ?? ''))
  const [seller, buyer] = seq % 2n === 0n ? [first, second] : [second, first]
  const move = (account: string, asset: string, units: bigint): Posting & { balanceAfter: bigint } => {
    const balanceAfter = (balances.get(`${account} ${asset}`) ?? 0n) + units
    balances.set(`${account} ${asset}`, balanceAfter)
    return { account, asset, units, balanceAfter }
  }
  return [move(seller, 'BNB', -BNB), move(buyer, 'BNB', BNB), move(buyer, 'USDT', -USDT), move(seller, 'USDT', USDT)]
}
