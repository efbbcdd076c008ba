import { createDecipheriv, createHmac } from 'node:crypto'
import { sha256 } from './users-tree.ts'

/** A leaf that changed since the header before. */
export interface ProofRecord {
  /** Index of the asset among the tokens of the ledger's head. */
  readonly asset: number
  readonly place: number
  readonly hash: Buffer
  readonly sum: bigint
}

const RECORD_BYTES = 53
const NUMBER_BYTES = 8
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Continues the hash chain of the proof data: `sha256(0x30 || dataHash before || block)`. @param before hex with 0x */
export function chainBlock(before: string, block: Buffer): string {
  return `0x${sha256(Buffer.of(0x30), Buffer.from(before.slice(2), 'hex'), block).toString('hex')}`
}

/** Returns the key of a quarter's blocks. */
export function blockKey(secret: Uint8Array, quarter: string): Buffer {
  return createHmac('sha256', secret).update(`clearwell proof data ${quarter}`).digest()
}

/** Decrypts the records of a block. @throws Error if it was changed, has another key, or has no whole records */
export function openBlock(key: Buffer, block: Buffer): { readonly number: bigint; readonly records: ProofRecord[] } {
  const head = NUMBER_BYTES + NONCE_BYTES
  const decipher = createDecipheriv('aes-256-gcm', key, block.subarray(NUMBER_BYTES, head), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(block.subarray(0, NUMBER_BYTES))
  decipher.setAuthTag(block.subarray(-TAG_BYTES))
  const packed = Buffer.concat([decipher.update(block.subarray(head, -TAG_BYTES)), decipher.final()])
  if (packed.length % RECORD_BYTES !== 0) throw new RangeError('the block has no whole records')
  const records = Array.from({ length: packed.length / RECORD_BYTES }, (_, index): ProofRecord => {
    const record = packed.subarray(index * RECORD_BYTES, (index + 1) * RECORD_BYTES)
    return {
      asset: record.readUInt8(0),
      place: record.readUInt32BE(1),
      hash: record.subarray(5, 37),
      sum: BigInt(`0x${record.toString('hex', 37)}`),
    }
  })
  return { number: block.readBigUInt64BE(0), records }
}
