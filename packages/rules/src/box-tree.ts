import { formatAmount } from '@clearwell/money/amount'
import { type DrawRule, encodeText, isBoxId, type Sha256, toHex } from './box-draw.ts'
import { isMembershipLevel, type MembershipLevel } from './box-power.ts'
import type { PoolSource } from './box-reward.ts'
import { type BoxRules, boxRulesText } from './box-rules.ts'
import { boundsOfDay, type HongKongDay } from './hong-kong-day.ts'

/**
 * The Merkle tree of a day's boxes, and the root that fixes the day before its block and its seed are known.
 *
 * The tree is that of RFC 6962, section 2.1: leaves are hashed with the prefix 0x00 and nodes with 0x01, so that no leaf
 * passes for a node. The left side of a node has the largest power of two of leaves that leaves some for the right, so no
 * leaf is ever counted twice. The leaves are in the order of their box ids.
 */

/** Names the version of the published file and of the text of the root. */
export const DAY_FORMAT = 'clearwell box day 2'

/** The facts of a box that its leaf fixes. */
export interface BoxLeaf {
  readonly day: HongKongDay
  /** 32 hexadecimal digits in lower case. */
  readonly id: string
  readonly level: MembershipLevel
  /** Consecutive days with a click before this one. */
  readonly streak: number
  /** The owner's fees that make its power, in base units of USDT. */
  readonly fees: bigint
}

/** A tree that grows at its right end: its perfect subtrees, the largest first. It needs 20 hashes for a million boxes. */
export interface BoxTree {
  readonly size: number
  readonly peaks: readonly Uint8Array[]
}

export const EMPTY_TREE: BoxTree = { size: 0, peaks: [] }

/** Computes the hash of a box's leaf. */
export function leafHash({ day, id, level, streak, fees }: BoxLeaf, sha256: Sha256): Uint8Array {
  boundsOfDay(day)
  if (!isBoxId(id)) throw new RangeError(`leafHash: ${id} is not a box id`)
  if (!isMembershipLevel(level)) throw new RangeError(`leafHash: ${level} is not a level`)
  if (!Number.isSafeInteger(streak) || streak < 0) throw new RangeError(`leafHash: ${streak} is not a streak`)
  if (fees < 0n) throw new RangeError(`leafHash: ${fees} is not an amount of fees`)
  const text = formatAmount({ asset: 'USDT', units: fees })
  return sha256(joinBytes([LEAF, encodeText(`box ${day} ${id} ${level} ${streak} ${text}`)]))
}

/** Adds a leaf at the right end. */
export function appendLeaf({ size, peaks }: BoxTree, leaf: Uint8Array, sha256: Sha256): BoxTree {
  const kept = [...peaks]
  let top = leaf
  // One peak for each bit of the size: adding one carries through the lowest bits that are set.
  for (let carry = size; carry % 2 === 1; carry = (carry - 1) / 2) {
    const left = kept.pop()
    if (!left) throw new RangeError('appendLeaf: the tree has fewer peaks than its size says')
    top = nodeHash(left, top, sha256)
  }
  return { size: size + 1, peaks: [...kept, top] }
}

/** Computes the hash of the whole tree; of an empty one, the hash of no bytes. */
export function treeHash({ peaks }: BoxTree, sha256: Sha256): Uint8Array {
  const last = peaks.at(-1)
  if (!last) return sha256(new Uint8Array())
  return peaks.slice(0, -1).reduceRight((right, left) => nodeHash(left, right, sha256), last)
}

/**
 * Returns the hashes that prove a leaf, from the leaf up.
 *
 * @param hashes the hashes of all leaves, or of the perfect subtrees that begin at multiples of one size.
 */
export function inclusionPath(hashes: readonly Uint8Array[], index: number, sha256: Sha256): Uint8Array[] {
  if (!Number.isInteger(index) || index < 0 || index >= hashes.length) {
    throw new RangeError(`inclusionPath: a tree of ${hashes.length} has no leaf ${index}`)
  }
  const path: Uint8Array[] = []
  let [row, at] = [hashes, index]
  while (row.length > 1) {
    const sibling = row[at % 2 === 0 ? at + 1 : at - 1]
    if (sibling) path.push(sibling)
    // The last of an odd row has no sibling and moves up unchanged.
    row = pairsOf(row, sha256)
    at = Math.floor(at / 2)
  }
  return path
}

/** Computes the hash of the tree from one leaf and its path; `undefined` if the path cannot be one of that leaf. */
export function hashFromPath(
  proof: {
    readonly leaf: Uint8Array
    readonly index: number
    readonly size: number
    readonly path: readonly Uint8Array[]
  },
  sha256: Sha256,
): Uint8Array | undefined {
  const { leaf, index, size, path } = proof
  if (!Number.isInteger(index) || index < 0 || index >= size) return undefined
  let [top, at, last, used] = [leaf, index, size - 1, 0]
  while (last > 0) {
    const isRight = at % 2 === 1
    if (isRight || at < last) {
      const sibling = path[used]
      if (!sibling) return undefined
      top = isRight ? nodeHash(sibling, top, sha256) : nodeHash(top, sibling, sha256)
      used += 1
    }
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  return used === path.length ? top : undefined
}

/** Everything that the root of a day fixes. */
export interface DayHeader {
  readonly day: HongKongDay
  readonly rule: DrawRule
  readonly rules: BoxRules
  /** The hash of the seed, and when it was published; `undefined` without one. */
  readonly commitment: { readonly hash: Uint8Array; readonly publishedAt: Date } | undefined
  /** When this root is published. */
  readonly publishedAt: Date
  readonly boxes: number
  readonly tree: Uint8Array
  /** The last entry of the ledger before the day's end, and its hash in hexadecimal. */
  readonly ledgerSeq: bigint
  readonly entryHash: string
  /** The balance of `rewards` at the day's end and what the box owners' fees brought in, for each asset. */
  readonly sources: readonly PoolSource[]
}

/** Returns the text whose SHA-256 is the root of the day: one fact in each line. */
export function rootText(header: DayHeader): string {
  const { day, rule, commitment, publishedAt, rules, boxes, tree, ledgerSeq, entryHash, sources } = header
  const lines = [
    DAY_FORMAT,
    `day ${day}`,
    `rule ${rule}`,
    `rules ${boxRulesText(rules)}`,
    `commitment ${commitment ? `${toHex(commitment.hash)} ${commitment.publishedAt.toISOString()}` : 'none'}`,
    `published ${publishedAt.toISOString()}`,
    `boxes ${boxes}`,
    `tree ${toHex(tree)}`,
    `ledger ${ledgerSeq} ${entryHash}`,
    ...sources
      .toSorted((a, b) => (a.asset < b.asset ? -1 : 1))
      .map(({ asset, rewards, contributed }) => {
        const text = (units: bigint) => formatAmount({ asset, units })
        return `rewards ${asset} ${text(rewards)} ${text(contributed)}`
      }),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** Computes the root that is published when the day has ended. */
export function dayRoot(header: DayHeader, sha256: Sha256): Uint8Array {
  return sha256(encodeText(rootText(header)))
}

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

function nodeHash(left: Uint8Array, right: Uint8Array, sha256: Sha256): Uint8Array {
  return sha256(joinBytes([NODE, left, right]))
}

function pairsOf(row: readonly Uint8Array[], sha256: Sha256): Uint8Array[] {
  const pairs: Uint8Array[] = []
  for (let at = 0; at < row.length; at += 2) {
    const [left, right] = [row[at] as Uint8Array, row[at + 1]]
    pairs.push(right ? nodeHash(left, right, sha256) : left)
  }
  return pairs
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}
