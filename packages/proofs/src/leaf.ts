import { hash } from 'node:crypto'
import { type Hex, MAX_UINT128, pack, readUint128, writeUint128 } from './bytes.ts'

/** Hash and sum of a node: 32 and 16 bytes. */
export const RECORD_BYTES = 48

/** The balance of one account in one asset, as a users tree fixes it. Amounts are base units of the asset. */
export interface Leaf {
  /** 32 random bytes of the account, which hide its balance. */
  readonly salt: Hex
  readonly account: Hex
  /** The token's address, zero for the chain's native coin, `0x5254` in 20 bytes for RT. */
  readonly asset: Hex
  /** Available and locked amounts. */
  readonly free: bigint
  /** The vault's deposits of this account and asset that the ledger has booked. */
  readonly depositedSeen: bigint
  /** The vault's payments of this asset to this account that the ledger has booked. */
  readonly paidSeen: bigint
}

/** The hash of a place without a leaf. Its sum is 0. */
export const EMPTY_HASH: Buffer = sha256(Buffer.of(2))

/**
 * Returns the hash of a leaf. Its sum is `free`.
 *
 * @throws RangeError if a field does not have its size.
 */
export function hashLeaf({ salt, account, asset, free, depositedSeen, paidSeen }: Leaf): Buffer {
  return sha256(pack(0, [[salt, 32], [account, 20], [asset, 20], free, depositedSeen, paidSeen]))
}

/** Joins a hash and a sum. */
export function toRecord(hashed: Uint8Array, sum: bigint): Buffer {
  const record = Buffer.alloc(RECORD_BYTES)
  record.set(hashed)
  writeUint128(sum, record, 32)
  return record
}

const preimage = Buffer.alloc(1 + 2 * RECORD_BYTES)
preimage[0] = 1

/**
 * Writes the record of a node: its hash contains both hashes and both sums, so that neither sum can be hidden.
 *
 * @throws RangeError if the sums are more than 128 bits can hold.
 */
export function combineRecords(children: Buffer, target: Buffer): void {
  const sum = readUint128(children, 32) + readUint128(children, 80)
  if (sum > MAX_UINT128) throw new RangeError(`the sum ${sum} does not fit into 128 bits`)
  preimage.set(children, 1)
  target.set(sha256(preimage))
  writeUint128(sum, target, 32)
}

/** Returns the root of a users tree from the record at its top. */
export function hashRoot(asset: Hex, depth: number, top: Buffer): Buffer {
  const depthHex: Hex = `0x${depth.toString(16).padStart(2, '0')}`
  return sha256(
    Buffer.concat([
      pack(3, [
        [asset, 20],
        [depthHex, 1],
      ]),
      top,
    ]),
  )
}

export function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer')
}
