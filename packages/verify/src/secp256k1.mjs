// @ts-check
import { fromHex, join, toHex, uintOf } from './hash-bytes.mjs'
import { keccak256 } from './keccak.mjs'

/** Recovers who signed, with separate code. Source: SEC 1, sections 2.2.1 and 4.1.6; the constants are those of SEC 2, 2.4.1. */

const P = 2n ** 256n - 2n ** 32n - 977n
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** @type {Point} */
const G = [
  0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
]

/** @typedef {[x: bigint, y: bigint]} Point */

/** @param {bigint} value @param {bigint} modulus */
const mod = (value, modulus) => ((value % modulus) + modulus) % modulus

/** @param {bigint} base @param {bigint} exponent @param {bigint} modulus */
function power(base, exponent, modulus) {
  let result = 1n
  for (let square = mod(base, modulus), rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/** @param {bigint} value @param {bigint} modulus a prime */
const inverse = (value, modulus) => power(value, modulus - 2n, modulus)

/** @param {Point | undefined} a @param {Point | undefined} b @returns {Point | undefined} `undefined` is infinity */
function add(a, b) {
  if (!a || !b) return a ?? b
  const [x1, y1] = a
  const [x2, y2] = b
  if (x1 === x2 && mod(y1 + y2, P) === 0n) return undefined
  const slope = x1 === x2 ? 3n * x1 * x1 * inverse(2n * y1, P) : (y2 - y1) * inverse(mod(x2 - x1, P), P)
  const x = mod(slope * slope - x1 - x2, P)
  return [x, mod(slope * (x1 - x) - y1, P)]
}

/** @param {Point} point @param {bigint} factor @returns {Point | undefined} */
function multiply(point, factor) {
  /** @type {Point | undefined} */
  let result
  /** @type {Point | undefined} */
  let doubled = point
  for (let rest = factor; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = add(result, doubled)
    doubled = add(doubled, doubled)
  }
  return result
}

/**
 * Recovers the address that signed a hash.
 *
 * @param {string} hash
 * @param {string} signature 65 bytes: r, s, and v of 27 or 28
 * @returns {string | undefined} in lower case; `undefined` for no valid signature
 */
export function recoverSigner(hash, signature) {
  const bytes = fromHex(signature, 65)
  const [r, s] = [BigInt(toHex(bytes.slice(0, 32))), BigInt(toHex(bytes.slice(32, 64)))]
  const odd = (bytes[64] ?? 0) - 27
  if ((odd !== 0 && odd !== 1) || r === 0n || r >= N || s === 0n || s >= N) return undefined
  const square = mod(r * r * r + 7n, P)
  const root = power(square, (P + 1n) / 4n, P)
  if (mod(root * root, P) !== square) return undefined
  /** @type {Point} */
  const point = [r, Number(root & 1n) === odd ? root : P - root]
  const overR = inverse(r, N)
  const key = add(multiply(point, mod(s * overR, N)), multiply(G, mod(-BigInt(hash) * overR, N)))
  if (!key) return undefined
  return toHex(keccak256(join(uintOf(key[0], 32), uintOf(key[1], 32))).slice(12))
}
