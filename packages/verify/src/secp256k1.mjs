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

/**
 * A point as X / Z², Y / Z³, so that adding needs no inverse. Z of 0 is infinity.
 *
 * @typedef {[x: bigint, y: bigint, z: bigint]} Jacobian
 */

/** @type {Jacobian} */
const INFINITY = [1n, 1n, 0n]

/** Source: "dbl-2009-l" of the Explicit-Formulas Database, for curves with a = 0. @param {Jacobian} point @returns {Jacobian} */
function double([x, y, z]) {
  const ySquare = (y * y) % P
  const s = (4n * x * ySquare) % P
  const m = (3n * x * x) % P
  const x3 = mod(m * m - 2n * s, P)
  return [x3, mod(m * (s - x3) - 8n * ySquare * ySquare, P), (2n * y * z) % P]
}

/** Source: "add-1998-cmo-2" of the same. @param {Jacobian} a @param {Jacobian} b @returns {Jacobian} */
function add(a, b) {
  if (a[2] === 0n) return b
  if (b[2] === 0n) return a
  const [aSquare, bSquare] = [(a[2] * a[2]) % P, (b[2] * b[2]) % P]
  const x = (a[0] * bSquare) % P
  const y = (((a[1] * bSquare) % P) * b[2]) % P
  const h = mod(b[0] * aSquare - x, P)
  const r = mod(((b[1] * aSquare) % P) * a[2] - y, P)
  if (h === 0n) return r === 0n ? double(a) : INFINITY
  const hSquare = (h * h) % P
  const hCube = (hSquare * h) % P
  const v = (x * hSquare) % P
  const x3 = mod(r * r - hCube - 2n * v, P)
  return [x3, mod(r * (v - x3) - y * hCube, P), (((a[2] * b[2]) % P) * h) % P]
}

/** @param {Point} p @param {bigint} a @param {Point} q @param {bigint} b @returns {Point | undefined} a·p + b·q; `undefined` is infinity */
function sumOfProducts(p, a, q, b) {
  /** @type {[Jacobian, Jacobian]} */
  const [first, second] = [
    [...p, 1n],
    [...q, 1n],
  ]
  const both = add(first, second)
  let sum = INFINITY
  for (let bit = 255n; bit >= 0n; bit--) {
    sum = double(sum)
    const [inA, inB] = [(a >> bit) & 1n, (b >> bit) & 1n]
    if (inA && inB) sum = add(sum, both)
    else if (inA) sum = add(sum, first)
    else if (inB) sum = add(sum, second)
  }
  if (sum[2] === 0n) return undefined
  const overZ = inverse(sum[2], P)
  const overSquare = (overZ * overZ) % P
  return [(sum[0] * overSquare) % P, (((sum[1] * overSquare) % P) * overZ) % P]
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
  const key = sumOfProducts(point, mod(s * overR, N), G, mod(-BigInt(hash) * overR, N))
  if (!key) return undefined
  return toHex(keccak256(join(uintOf(key[0], 32), uintOf(key[1], 32))).slice(12))
}
