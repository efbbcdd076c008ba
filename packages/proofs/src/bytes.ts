/** A hex string with `0x`, as the chain writes addresses and hashes. */
export type Hex = `0x${string}`

const UINT64 = 2n ** 64n
export const MAX_UINT128 = 2n ** 128n - 1n

/** Writes a number of 16 bytes, big-endian. @throws RangeError if it does not fit. */
export function writeUint128(value: bigint, target: Buffer, offset: number): void {
  if (value < 0n || value > MAX_UINT128) throw new RangeError(`${value} does not fit into 128 bits`)
  target.writeBigUInt64BE(value / UINT64, offset)
  target.writeBigUInt64BE(value % UINT64, offset + 8)
}

export function readUint128(source: Buffer, offset: number): bigint {
  return source.readBigUInt64BE(offset) * UINT64 + source.readBigUInt64BE(offset + 8)
}

/** Writes the bytes of a hex string. @throws RangeError unless it has exactly `size` bytes. */
export function writeHex(hex: Hex, { target, offset, size }: { target: Buffer; offset: number; size: number }): void {
  // `write` stops at the first character that is no hex digit, so its count finds those too.
  if (hex.length !== 2 + 2 * size || !hex.startsWith('0x') || target.write(hex.slice(2), offset, size, 'hex') !== size)
    throw new RangeError(`${hex} is no hex value of ${size} bytes`)
}

export function toHex(bytes: Buffer): Hex {
  return `0x${bytes.toString('hex')}`
}

/** A field of a hash: a hex value of so many bytes, or a number of 16 bytes. */
export type Field = readonly [hex: Hex, size: number] | bigint

/** Joins a tag of one byte and fields of fixed sizes. */
export function pack(tag: number, fields: readonly Field[]): Buffer {
  const sizeOf = (field: Field) => (typeof field === 'bigint' ? 16 : field[1])
  const target = Buffer.alloc(fields.reduce((size, field) => size + sizeOf(field), 1))
  target[0] = tag
  let offset = 1
  for (const field of fields) {
    if (typeof field === 'bigint') writeUint128(field, target, offset)
    else writeHex(field[0], { target, offset, size: field[1] })
    offset += sizeOf(field)
  }
  return target
}
