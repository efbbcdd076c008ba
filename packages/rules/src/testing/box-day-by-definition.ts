import { createHash, createHmac } from 'node:crypto'
import { Fraction } from './fraction.ts'

/**
 * A second implementation of a day of blind boxes, which the tests compare with the rules. It follows the definitions
 * literally: exact fractions instead of scaled integers, a list of 100 tickets instead of ranges, 256-bit numbers instead
 * of bytes, and the recursive definition of RFC 6962 instead of a growing tree. It shares no code with the rules.
 */

/** Source: product rule "Blind box and node". */
const TICKETS: readonly number[] = [
  ...Array(60).fill(1),
  ...Array(25).fill(2),
  ...Array(10).fill(3),
  ...Array(4).fill(5),
  10,
]

export interface DefinedBox {
  readonly id: string
  readonly level: number
  readonly streak: number
  readonly fees: bigint
}

/** Computes draws, powers and rewards of a whole day. `draw` is absent on a flat day. */
export function dayByDefinition(day: {
  readonly boxes: readonly DefinedBox[]
  readonly rewards: bigint
  readonly contributed: bigint
  readonly draw?: { readonly seed: Uint8Array; readonly blockHash: string }
}) {
  const { draw } = day
  const drawn = day.boxes.map((box) => {
    const factor = draw ? drawByDefinition(draw.seed, draw.blockHash, box.id) : 1
    return { ...box, factor, power: powerByDefinition({ ...box, draw: factor }) }
  })
  const total = drawn.reduce((sum, { power }) => sum + power, 0n)
  const parts = [day.rewards, day.contributed].map((units) => new Fraction(units, 30n).floor())
  const pool = parts.toSorted((a, b) => (a < b ? -1 : 1))[0] ?? 0n
  return drawn.map((box) => ({
    ...box,
    reward: total === 0n ? 0n : new Fraction(pool * box.power, total).floor(),
  }))
}

/** Fees × (1.0 + 0.02 for each level) × (1.0 + 0.01 for each day, at most 1.09) × draw, rounded down once. */
export function powerByDefinition(box: { level: number; streak: number; fees: bigint; draw: number }): bigint {
  let levelFactor = new Fraction(1n)
  for (let each = 0; each < box.level; each += 1) levelFactor = levelFactor.plus(new Fraction(1n, 50n))
  let streakFactor = new Fraction(1n)
  for (let each = 0; each < box.streak && each < 9; each += 1) {
    streakFactor = streakFactor.plus(new Fraction(1n, 100n))
  }
  return levelFactor
    .times(streakFactor)
    .times(new Fraction(box.fees * BigInt(box.draw)))
    .floor()
}

export function drawByDefinition(seed: Uint8Array, blockHash: string, boxId: string): number {
  const digest = createHmac('sha256', seed)
    .update(blockHash + boxId, 'latin1')
    .digest('hex')
  return drawFromNumber(seed, BigInt(`0x${digest}`))
}

/** The digest as one number of 256 bits, from which numbers of 32 bits are taken from the top. */
function drawFromNumber(seed: Uint8Array, digest: bigint): number {
  for (let shift = 224n; shift >= 0n; shift -= 32n) {
    const word = (digest >> shift) % 2n ** 32n
    // Every ticket needs the same number of words: 42,949,672 of them.
    const round = word / 100n
    if (round < 42_949_672n) return TICKETS[Number(word - round * 100n)] as number
  }
  const text = digest.toString(16).padStart(64, '0')
  return drawFromNumber(seed, BigInt(`0x${createHmac('sha256', seed).update(text).digest('hex')}`))
}

/** RFC 6962, section 2.1: MTH. */
export function treeByDefinition(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 0) return sha256('')
  if (leaves.length === 1) return sha256(Buffer.of(0), ...leaves)
  const k = splitOf(leaves.length)
  return sha256(Buffer.of(1), treeByDefinition(leaves.slice(0, k)), treeByDefinition(leaves.slice(k)))
}

/** RFC 6962, section 2.1.1: PATH. */
export function pathByDefinition(index: number, leaves: readonly Uint8Array[]): Buffer[] {
  if (leaves.length === 1) return []
  const k = splitOf(leaves.length)
  return index < k
    ? [...pathByDefinition(index, leaves.slice(0, k)), treeByDefinition(leaves.slice(k))]
    : [...pathByDefinition(index - k, leaves.slice(k)), treeByDefinition(leaves.slice(0, k))]
}

/** The largest power of two below `n`. */
function splitOf(n: number): number {
  return 2 ** ((n - 1).toString(2).length - 1)
}

function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
