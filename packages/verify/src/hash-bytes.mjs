// @ts-check

/** Bytes for hashing: hex values of fixed sizes, numbers of 16 bytes, and SHA-256. */

/** @param {Uint8Array} bytes @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)))
}

/** @param {readonly (Uint8Array | readonly number[])[]} parts */
export function join(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

/** Returns the bytes of a hex value, with or without 0x. @param {string} hex @param {number} size */
export function fromHex(hex, size) {
  const digits = hex.startsWith('0x') ? hex.slice(2) : hex
  if (digits.length !== 2 * size || !/^[0-9a-f]*$/i.test(digits)) throw new Error(`${hex} is not ${size} bytes`)
  return Uint8Array.from({ length: size }, (_, index) => Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16))
}

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Returns a number in so many bytes, big-endian. @param {bigint} value @param {number} size */
export function uintOf(value, size) {
  if (value < 0n || value >= 1n << BigInt(8 * size)) throw new Error(`${value} does not fit into ${size} bytes`)
  return fromHex(value.toString(16).padStart(2 * size, '0'), size)
}

/** @param {bigint} value */
export function uint128(value) {
  return uintOf(value, 16)
}
