import type { readEntries } from '@clearwell/ledger/audit'

/** The columns of {@link HeaderRow}, of `proof_headers` and `proof_header_bodies` joined by id. */
export const HEADER_COLUMNS = 'number, previous, hash, header, root_signature, book_signature, book_refusal'

export interface HeaderRow {
  readonly number: bigint
  readonly previous: string
  readonly hash: string
  readonly header: string | null
  readonly root_signature: string | null
  readonly book_signature: string | null
  readonly book_refusal: string | null
}

/** An entry as a line of an export: the fields that its hash covers, and the hash. */
export function entryLine({
  seq,
  kind,
  at,
  reference,
  postings,
  hash,
}: Awaited<ReturnType<typeof readEntries>>[number]) {
  const moved = postings.map(({ account, asset, units }) => [account, asset, `${units}`])
  const entry = [`${seq}`, kind, at.toISOString(), reference, moved]
  return { entry, hash: `0x${Buffer.from(hash).toString('hex')}` }
}

/** A header as a line of an export. One whose fields are no longer stored has its number, its predecessor and its hash. */
export function headerLine(row: HeaderRow) {
  const { number, previous, hash, header, root_signature: signature, book_signature, book_refusal } = row
  return {
    header: header === null ? { number: `${number}`, previous } : JSON.parse(header),
    hash,
    signature,
    ...(book_signature === null ? {} : { bookkeeper: book_signature }),
    ...(book_refusal === null ? {} : { refusal: JSON.parse(book_refusal) }),
  }
}
