import { hash } from 'node:crypto'

export interface Posting {
  readonly account: string
  readonly asset: string
  /** Base units: positive into the account, negative out of it. */
  readonly units: bigint
}

/** The fields of an entry that its hash covers. */
export interface HashedEntry {
  readonly seq: bigint
  readonly kind: string
  readonly at: Date
  readonly reference: string
  readonly postings: readonly Posting[]
}

/** Previous hash of the first entry. */
export const GENESIS_HASH: Uint8Array = new Uint8Array(32)

/**
 * Computes `sha256(previous hash ‖ JSON of [seq, kind, time, reference, [[account, asset, units], …]])`.
 * The last hash proves that no earlier entry was changed, removed or inserted.
 */
export function entryHash(previous: Uint8Array, entry: HashedEntry): Uint8Array {
  const text = JSON.stringify([
    entry.seq.toString(),
    entry.kind,
    entry.at.toISOString(),
    entry.reference,
    entry.postings.map((posting) => [posting.account, posting.asset, posting.units.toString()]),
  ])
  const bytes = Buffer.allocUnsafe(previous.length + Buffer.byteLength(text))
  bytes.set(previous)
  bytes.write(text, previous.length)
  return hash('sha256', bytes, 'buffer')
}
