import type { Queryable } from '@clearwell/ledger/database'
import { entryHash } from '@clearwell/ledger/entry-hash'
import { readTip } from '@clearwell/ledger/reads'
import { boxes } from '../../domain/boxes/box.tables.ts'
import { proofTokens } from '../../domain/proofs/proof-tokens.ts'
import type { Custody } from '../../platform/chain/chain.ts'
import { checkHubRows } from './check-hub-rows.ts'
import { checkMembers } from './check-members.ts'
import { checkPositions } from './check-positions.ts'
import { findSignedHeader, type KnownKeys } from './check-signers.ts'
import { outcomeOf, treatmentOf } from './entry-kinds.ts'
import type { Store, StoredEntry, StoredHeader } from './read-store.ts'
import { findBareActivations } from './rebuild-activations.ts'
import { findForeignCollateral } from './rebuild-collateral.ts'
import { checkDays } from './rebuild-days.ts'
import { findMissingLines, lastRows, type MissingLines } from './rebuild-rows.ts'
import { RestoreRefused } from './restore-refused.ts'

/** Entries and headers that a restore adds to the database. */
export interface RestorePlan {
  readonly entries: readonly StoredEntry[]
  /** The rows that belong to entries. */
  readonly rows: MissingLines
  /** Entries of activations without rows, whose accounts are activated again. */
  readonly bare: readonly StoredEntry[]
  /** Headers that the database lacks, or has without their signatures, oldest first. */
  readonly headers: readonly StoredHeader[]
  /** Of all headers of the store. */
  readonly newest: StoredHeader | undefined
  /** The newest one that the bookkeeper has found right: its block is the watcher's. */
  readonly right: StoredHeader | undefined
}

/**
 * Compares the store with the database: the hash chain of the entries, the headers and the places.
 *
 * @throws RestoreRefused if one contradicts the other, or the store has entries that cannot be imported.
 */
export async function planRestore(
  db: Queryable,
  store: Store,
  site: {
    readonly chainId: number
    readonly custody: Pick<Custody, 'vault' | 'tokens'>
    /** Of the signers of headers. */
    readonly keys: KnownKeys
  },
): Promise<RestorePlan> {
  const { chainId, custody, keys } = site
  if (store.chainId !== chainId || store.vault !== custody.vault.toLowerCase())
    throw new RestoreRefused(`The store is of vault ${store.vault} on chain ${store.chainId}.`)
  const tip = await readTip(db)
  const tipHash = `0x${Buffer.from(tip.hash).toString('hex')}`
  if (tip.seq > store.lastEntry)
    throw new RestoreRefused(`The store ends with entry ${store.lastEntry}, and the database with ${tip.seq}.`)
  if (tip.seq > 0n && store.hashAtTip !== tipHash)
    throw new RestoreRefused(`Entry ${tip.seq} of the database has another hash than in the store.`)
  refuseBrokenChain(tip.hash, store.entries)
  const domain = { chainId, vault: custody.vault }
  const signed = await findSignedHeader(store, { domain, keys })
  const missing = await findMissingLines(db, store)
  const rows = withBoxes(missing, await findKnownBoxes(db, store.entries, missing))
  const uncovered = store.entries.filter(({ seq }) => !rows.covers(seq))
  refuseSharedObjects(uncovered)
  const foreign = await findForeignCollateral(db, uncovered)
  if (foreign)
    throw new RestoreRefused(
      `Entry ${foreign.seq} (${foreign.kind}) changes collateral that no open loan of the database has (${foreign.reference}).`,
    )
  await refuseOtherPlaces(db, store)
  const stored = await readHeaders(db)
  for (const [number, { hash }] of stored) {
    const own = store.headers.get(number)
    if (own?.hash !== hash)
      throw new RestoreRefused(`Header ${number} of the database is ${own ? 'another one in' : 'not in'} the store.`)
  }
  await checkPositions({ db, store, tip: tip.seq, missing: rows }, signed, { tokens: proofTokens(custody) })
  await checkHubRows(db, rows)
  await checkMembers(db, store.entries, missing)
  await checkDays(db, rows, store)
  const all = [...store.headers.values()]
  return {
    entries: store.entries,
    rows,
    bare: findBareActivations(store.entries, missing.covers),
    headers: all.filter(({ number, root, refusal }) => {
      const known = stored.get(number)
      return known === undefined || (!known.is_settled && (root !== null || refusal !== null))
    }),
    newest: all.at(-1),
    right: all.findLast(({ isRight, cursor }) => isRight && cursor !== undefined),
  }
}

/** Entries that end a box have their rows where the database or a line has the box. */
function withBoxes(rows: MissingLines, boxes: ReadonlySet<bigint>): MissingLines {
  return { ...rows, covers: (seq) => rows.covers(seq) || boxes.has(seq) }
}

/** Finds the entries that end a box of the database or of a line. */
async function findKnownBoxes(
  db: Queryable,
  entries: readonly StoredEntry[],
  { lines }: MissingLines,
): Promise<ReadonlySet<bigint>> {
  const ends = entries.filter(({ kind }) => outcomeOf(kind) !== undefined)
  if (ends.length === 0) return new Set()
  const ids = ends.map(({ reference }) => reference)
  const rows = await db.query<{ id: string }>('select id from boxes where id = any($1::text[])', [ids])
  const known = new Set([...rows, ...lastRows(lines, boxes)].map(({ id }) => id))
  return new Set(ends.filter(({ reference }) => known.has(reference)).map(({ seq }) => seq))
}

/** @throws RestoreRefused for the first entry that does not follow. */
function refuseBrokenChain(tip: Uint8Array, entries: readonly StoredEntry[]): void {
  let previous = tip
  for (const entry of entries) {
    previous = entryHash(previous, entry)
    if (`0x${Buffer.from(previous).toString('hex')}` !== entry.hash)
      throw new RestoreRefused(`The hash chain of the store breaks at entry ${entry.seq}.`)
  }
}

/** @throws RestoreRefused with the first entry that cannot be imported, and the number of entries of each such kind. */
function refuseSharedObjects(entries: readonly StoredEntry[]): void {
  const shared = entries.filter(({ kind }) => treatmentOf(kind) === 'refuse')
  const [first] = shared
  if (!first) return
  const counts = new Map<string, number>()
  for (const { kind } of shared) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const listed = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ')
  throw new RestoreRefused(
    `Entry ${first.seq} (${first.kind}) belongs to an object that several accounts share, which the store does not have. Restore a backup from after the last entry of these kinds (${listed}): entry ${shared.at(-1)?.seq}.`,
  )
}

async function refuseOtherPlaces(db: Queryable, { accounts }: Store): Promise<void> {
  const rows = await db.query<{ id: string; place: number; salt: string }>('select id, place, salt from proof_accounts')
  for (const { id, place, salt } of rows) {
    const own = accounts.get(id)
    if (own && (own.place !== place || own.salt !== salt))
      throw new RestoreRefused(`The account ${id} has another place or salt in the store.`)
  }
}

async function readHeaders(db: Queryable) {
  const rows = await db.query<{ number: bigint; hash: string; is_settled: boolean | null }>(
    `select number, hash, root_signature is not null or book_refusal is not null as is_settled
     from proof_headers left join proof_header_bodies using (id) order by number`,
  )
  // Only the newest header can wait for its signatures. The fields of an old one are deleted.
  const newest = rows.at(-1)?.number
  return new Map(
    rows.map(({ number, hash, is_settled }) => [
      number,
      { hash, is_settled: number !== newest || is_settled === true },
    ]),
  )
}
