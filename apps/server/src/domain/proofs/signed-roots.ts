import type { Queryable } from '@clearwell/ledger/database'
import type { Hex } from '@clearwell/proofs/bytes'
import type { Header } from '@clearwell/proofs/header'
import { definePort } from '../../platform/port.ts'
import type { SignedRoot } from '../../platform/signer/voucher-root.ts'

/** The making of headers, as a transfer out sees it: its voucher waits for a header that both keys have signed. */
export interface HeaderMaking {
  /** Has the next header made and signed soon, on the leader. */
  hurry(): void
  /** Calls the listener after each header that was signed, on the leader. */
  onSigned(listener: () => void): void
  /** Makes no header while the ledger has to change first. The leader asks before each. */
  holdWhile(isHeld: () => Promise<boolean>): void
  /** Of the local profile: calls it once a header of a moved clock is signed, if the newest one on the chain is over an hour old. */
  onRenewed(post: () => Promise<void>): void
}

export const headerMaking = definePort<HeaderMaking>('header making')

interface RootRow {
  readonly header: string
  readonly root_signature: Hex
  readonly book_signature: Hex
}

const ROOTS = `select header, root_signature, book_signature from proof_header_bodies join proof_headers using (id)
  where root_signature is not null and book_signature is not null`

/** Finds the first header with both signatures that contains an entry. It stays the first: headers are signed in their order. */
export async function findRootHolding(db: Queryable, entry: bigint): Promise<SignedRoot | undefined> {
  return firstOf(
    await db.query<RootRow>(`${ROOTS} and ledger_seq >= $1 order by ledger_seq, number limit 1`, [entry.toString()]),
  )
}

/** Finds the header with this number, if both keys have signed it. */
export async function findRoot(db: Queryable, number: bigint): Promise<SignedRoot | undefined> {
  return firstOf(await db.query<RootRow>(`${ROOTS} and number = $1`, [number.toString()]))
}

/** Finds the newest header with both signatures. */
export async function findNewestRoot(db: Queryable): Promise<SignedRoot | undefined> {
  return firstOf(await db.query<RootRow>(`${ROOTS} order by number desc limit 1`))
}

/** Reads the last closed day of boxes that the newest header up to this number has; 0 if it has none. */
export async function readBoxDayUpTo(db: Queryable, number: bigint): Promise<number> {
  const [row] = await db.query<{ header: string }>(
    `select header from proof_headers join proof_header_bodies using (id)
     where number <= $1 and root_signature is not null order by number desc limit 1`,
    [number.toString()],
  )
  return row ? readHeader(row.header).boxDay : 0
}

function firstOf([row]: readonly RootRow[]): SignedRoot | undefined {
  return row && { header: readHeader(row.header), rootSignature: row.root_signature, bookSignature: row.book_signature }
}

/** The fields that are stored as text, because JSON has no whole numbers of more than 53 bits. */
const WHOLE = /^(number|ledgerSeq|cursorBlock|rtUsers|users|lending|payouts|house|locked|\w+Seen)$/

/** Reads a header as it is stored. */
export function readHeader(text: string): Header {
  return JSON.parse(text, (key, value) => (WHOLE.test(key) ? BigInt(value) : value))
}
