import type { Database, Queryable } from './database.ts'
import { GENESIS_HASH } from './entry-hash.ts'

/** Runs reads that all see the same snapshot of the ledger. */
export function readOneMoment<Result>(db: Database, read: (tx: Queryable) => Promise<Result>): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only')
    return read(tx)
  })
}

/** The last entry of the ledger, to which the next one is chained. Zero and the genesis hash if there is none. */
export interface Tip {
  readonly seq: bigint
  readonly hash: Uint8Array
  readonly at: Date | undefined
}

export async function readTip(db: Queryable): Promise<Tip> {
  const [row] = await db.query<{ seq: bigint; hash: Uint8Array; at: Date }>(
    'select seq, hash, at from entries order by seq desc limit 1',
  )
  return row ? { ...row, hash: new Uint8Array(row.hash) } : { seq: 0n, hash: GENESIS_HASH, at: undefined }
}

/** The hash of the first entry, in hex: it tells a ledger from every other. `undefined` before there is one. */
export async function readOrigin(db: Queryable): Promise<string | undefined> {
  const [row] = await db.query<{ hash: string | null }>(
    `select encode(coalesce(
       (select hash from entries where seq = 1), (select origin from ledger_archives order by first_seq limit 1)
     ), 'hex') as hash`,
  )
  return row?.hash ?? undefined
}

/**
 * Reads the hash of an entry, also of the last one of an archive, and the genesis hash for 0. `undefined` if the database has no such
 * entry.
 */
export async function readEntryHash(db: Queryable, seq: bigint): Promise<Uint8Array | undefined> {
  if (seq === 0n) return GENESIS_HASH
  const [row] = await db.query<{ hash: Uint8Array }>(
    `select hash from entries where seq = $1 union all select hash from ledger_archives where last_seq = $1`,
    [seq.toString()],
  )
  return row && new Uint8Array(row.hash)
}

/** Reads the time of an entry. `undefined` if the database has no such entry. */
export async function readEntryTime(db: Queryable, seq: bigint): Promise<Date | undefined> {
  const [row] = await db.query<{ at: Date }>('select at from entries where seq = $1', [seq.toString()])
  return row?.at
}

/** Counts the entries of the database: the tip's number without those of archives, unless one is missing. */
export async function countEntries(db: Queryable): Promise<bigint> {
  const [row] = await db.query<{ count: bigint }>('select count(*) as count from entries')
  return row?.count ?? 0n
}

/** Reads the holder of the lease and its last renewal, as text in full precision for comparison. */
export async function readLease(db: Queryable): Promise<{ holder: string | null; renewedAt: string } | undefined> {
  const [row] = await db.query<{ holder: string | null; renewed_at: string }>(
    'select holder, renewed_at::text as renewed_at from writer_lease where id = 1',
  )
  return row && { holder: row.holder, renewedAt: row.renewed_at }
}

/** Outcome of a command: its response, or the name of its refusal. */
export type StoredOutcome<Result> =
  | { readonly ok: Result }
  | { readonly refusal: string; readonly data: Readonly<Record<string, unknown>> }

/** The outcome that is stored for an idempotency key. */
export type FoundOutcome<Result> = StoredOutcome<Result> & {
  /** The kind of the command, which determines `Result`. */
  readonly kind: string
  /** When the writer accepted the command. */
  readonly at: Date
}

/**
 * Finds the outcome of the owner's command with this idempotency key, or `undefined` if none was executed or it is no longer
 * stored.
 *
 * @param command without a kind, any kind will do.
 */
export async function findOutcome<Result>(
  db: Queryable,
  { owner, key, kind }: { owner: string; key: string; kind?: string },
): Promise<FoundOutcome<Result> | undefined> {
  const [row] = await db.query<{ outcome: StoredOutcome<Result>; kind: string; at: Date }>(
    'select outcome, kind, at from command_outcomes where owner = $1 and key = $2',
    [owner, key],
  )
  if (!row || (kind !== undefined && row.kind !== kind)) return undefined
  return { ...row.outcome, kind: row.kind, at: row.at }
}
