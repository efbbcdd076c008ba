import type { Queryable } from '@clearwell/ledger/database'
import type { Hex } from '@clearwell/proofs/bytes'
import type { Header } from '@clearwell/proofs/header'

/** A header that a root key and a bookkeeper have signed: the vault takes it. */
export interface SignedByBoth {
  readonly hash: Hex
  readonly header: Header
  readonly root: Hex
  readonly bookkeeper: Hex
}

/** Reads the newest header that both keys have signed. */
export async function readNewestSigned(db: Queryable): Promise<SignedByBoth | undefined> {
  const [row] = await db.query<{ hash: Hex; header: string; root: Hex; bookkeeper: Hex }>(
    `select hash, header, root_signature as root, book_signature as bookkeeper
     from proof_headers join proof_header_bodies using (id)
     where root_signature is not null and book_signature is not null order by number desc limit 1`,
  )
  return row && { ...row, header: readHeader(row.header) }
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

/** A stored header has its amounts, and numbers of more than 53 bits, as decimal text. */
function readHeader(json: string): Header {
  return JSON.parse(json, (_key, value) => (typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : value))
}
