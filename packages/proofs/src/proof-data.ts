import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { type Hex, readUint128, writeHex, writeUint128 } from './bytes.ts'
import { sha256 } from './leaf.ts'

/** A leaf that changed since the header before, without its owner. */
export interface ProofRecord {
  /** Index of the asset among the trees of the header. */
  readonly asset: number
  readonly place: number
  readonly hash: Hex
  readonly sum: bigint
}

/** Asset 1, place 4, hash 32, sum 16. */
const PROOF_RECORD_BYTES = 53
const NUMBER_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
const HEAD_BYTES = NUMBER_BYTES + NONCE_BYTES

/** `dataHash` before the first block. */
export const NO_PROOF_DATA: Buffer = Buffer.alloc(32)

/** Writes records in their order. @throws RangeError if a field does not have its size. */
function packRecords(records: readonly ProofRecord[]): Buffer {
  const packed = Buffer.alloc(records.length * PROOF_RECORD_BYTES)
  for (const [index, { asset, place, hash, sum }] of records.entries()) {
    const offset = index * PROOF_RECORD_BYTES
    packed.writeUInt8(asset, offset)
    packed.writeUInt32BE(place, offset + 1)
    writeHex(hash, { target: packed, offset: offset + 5, size: 32 })
    writeUint128(sum, packed, offset + 37)
  }
  return packed
}

/** Reads what {@link packRecords} wrote. @throws RangeError if the bytes are no whole records. */
function unpackRecords(packed: Buffer): ProofRecord[] {
  if (packed.length % PROOF_RECORD_BYTES !== 0) throw new RangeError(`${packed.length} bytes are no whole records`)
  return Array.from({ length: packed.length / PROOF_RECORD_BYTES }, (_, index) => {
    const offset = index * PROOF_RECORD_BYTES
    return {
      asset: packed.readUInt8(offset),
      place: packed.readUInt32BE(offset + 1),
      hash: `0x${packed.toString('hex', offset + 5, offset + 37)}`,
      sum: readUint128(packed, offset + 37),
    }
  })
}

/**
 * Encrypts the records of one header with AES-256-GCM: `number 8 || nonce 12 || ciphertext || tag 16`. The number is
 * authenticated.
 *
 * The nonce derives from the key, the number and the records. So every server makes the same block from the same ledger, which a
 * header needs, and two blocks with different records never share a nonce.
 *
 * @param key 32 bytes, the key of the quarter.
 */
export function sealRecords(key: Buffer, number: bigint, records: readonly ProofRecord[]): Buffer {
  if (key.length !== KEY_BYTES) throw new RangeError(`a key has ${KEY_BYTES} bytes`)
  const packed = packRecords(records)
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeBigUInt64BE(number)
  createHmac('sha256', key).update(head.subarray(0, NUMBER_BYTES)).update(packed).digest().copy(head, NUMBER_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, head.subarray(NUMBER_BYTES))
  cipher.setAAD(head.subarray(0, NUMBER_BYTES))
  return Buffer.concat([head, cipher.update(packed), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts a block. @throws Error if it was changed or has another key. */
export function openRecords(key: Buffer, block: Buffer): { readonly number: bigint; readonly records: ProofRecord[] } {
  if (block.length < HEAD_BYTES + TAG_BYTES) throw new RangeError('the block is too short')
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv('aes-256-gcm', key, block.subarray(NUMBER_BYTES, HEAD_BYTES), options)
  decipher.setAAD(block.subarray(0, NUMBER_BYTES))
  decipher.setAuthTag(block.subarray(-TAG_BYTES))
  const packed = Buffer.concat([decipher.update(block.subarray(HEAD_BYTES, -TAG_BYTES)), decipher.final()])
  return { number: block.readBigUInt64BE(), records: unpackRecords(packed) }
}

/** Continues the hash chain of the log: `sha256(0x30 || dataHash before 32 || block)`. */
export function chainProofData(previous: Buffer, block: Buffer): Buffer {
  if (previous.length !== NO_PROOF_DATA.length) throw new RangeError('a hash has 32 bytes')
  return sha256(Buffer.concat([Buffer.of(0x30), previous, block]))
}

/** Names the quarter of a time in UTC, such as `2026Q4`. Each has its own key. */
export function quarterOf(time: Date): string {
  return `${time.getUTCFullYear()}Q${Math.floor(time.getUTCMonth() / 3) + 1}`
}
