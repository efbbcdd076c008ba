// @ts-check

/** Keccak-256, the hash of the chain, written from its definition: WebCrypto does not have it. */

const MASK = (1n << 64n) - 1n
/** Bytes that one permutation takes in. */
const RATE = 136
const LANES = 25

/** Distance of each lane's rotation, at x + 5 y. */
const ROTATIONS = [0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14]

const ROUNDS = roundConstants()

/** Returns the hash of bytes. @param {Uint8Array} bytes */
export function keccak256(bytes) {
  const padded = new Uint8Array((Math.floor(bytes.length / RATE) + 1) * RATE)
  padded.set(bytes)
  padded[bytes.length] = 1
  padded[padded.length - 1] = /** @type {number} */ (padded[padded.length - 1]) | 0x80
  const view = new DataView(padded.buffer)
  let state = Array.from({ length: LANES }, () => 0n)
  for (let start = 0; start < padded.length; start += RATE) {
    state = state.map((lane, index) => (8 * index < RATE ? lane ^ view.getBigUint64(start + 8 * index, true) : lane))
    for (const constant of ROUNDS) state = permute(state, constant)
  }
  const hash = new DataView(new ArrayBuffer(32))
  for (const [index, lane] of state.slice(0, 4).entries()) hash.setBigUint64(8 * index, lane, true)
  return new Uint8Array(hash.buffer)
}

/** One round: theta, rho, pi, chi and iota. @param {readonly bigint[]} state @param {bigint} constant */
function permute(state, constant) {
  const at = (/** @type {number} */ x, /** @type {number} */ y) => /** @type {bigint} */ (state[(x % 5) + 5 * (y % 5)])
  const columns = [0, 1, 2, 3, 4].map((x) => at(x, 0) ^ at(x, 1) ^ at(x, 2) ^ at(x, 3) ^ at(x, 4))
  const column = (/** @type {number} */ x) => /** @type {bigint} */ (columns[x % 5])
  const moved = Array.from({ length: LANES }, () => 0n)
  for (let x = 0; x < 5; x++)
    for (let y = 0; y < 5; y++) {
      const lane = at(x, y) ^ column(x + 4) ^ rotate(column(x + 1), 1)
      moved[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(lane, /** @type {number} */ (ROTATIONS[x + 5 * y]))
    }
  return moved.map((lane, index) => {
    const [x, y] = [index % 5, Math.floor(index / 5)]
    const next = /** @type {bigint} */ (moved[((x + 1) % 5) + 5 * y])
    const second = /** @type {bigint} */ (moved[((x + 2) % 5) + 5 * y])
    return lane ^ (~next & MASK & second) ^ (index === 0 ? constant : 0n)
  })
}

/** @param {bigint} lane @param {number} by */
function rotate(lane, by) {
  return ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & MASK
}

/** The constants of the 24 rounds, by the shift register that defines them. */
function roundConstants() {
  let register = 1
  const nextBit = () => {
    const bit = register & 1
    register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1
    return bit
  }
  return Array.from({ length: 24 }, () => {
    let constant = 0n
    for (let power = 0; power <= 6; power++) if (nextBit()) constant |= 1n << BigInt(2 ** power - 1)
    return constant
  })
}
