import { type Hex, keccak256, toBytes, zeroHash } from 'viem'
import type { SignedHeader } from './kit-data.ts'

/** A posted root as the vault's callers name it. */
export interface RootRef {
  readonly headerHash: Hex
  /** In seconds since 1970. */
  readonly postedAt: number
  readonly seq: number
}

export interface PostedRoot extends RootRef {
  readonly signed: SignedHeader
}

/** The vault's list of roots, as far as it was read. */
export interface RootSlots {
  readonly newest: { readonly number: bigint; readonly postedAt: number; readonly seq: number }
  /** The hash at each place, zeros where a root was dropped. */
  readonly at: ReadonlyMap<number, Hex>
}

export const NO_ROOT: RootRef = { headerHash: zeroHash, postedAt: 0, seq: 0 }

/** The vault takes a header until this long after its `cursorTime`, in seconds. */
const POSTABLE_S = 7_200
/** Hashes between two pauses, in which the page can be drawn: about a tenth of a second. */
const AT_A_TIME = 4_000

/** Returns what the vault stores for a root. */
export function hashRef({ headerHash, postedAt, seq }: RootRef): Hex {
  const words = new Uint8Array(96)
  words.set(toBytes(headerHash, { size: 32 }))
  return hashWords(words, postedAt, seq)
}

function hashWords(words: Uint8Array, postedAt: number, seq: number): Hex {
  const view = new DataView(words.buffer)
  view.setBigUint64(56, BigInt(postedAt))
  view.setBigUint64(88, BigInt(seq))
  return keccak256(words)
}

export interface Search {
  /** Headers that may be posted. */
  readonly headers: readonly SignedHeader[]
  readonly slots: RootSlots
  /** Places to look at. */
  readonly seqs: readonly number[]
  /** The search gives up after so many hashes. */
  readonly most: number
  /** Runs between portions, so that the page stays awake. */
  readonly rest?: () => Promise<void>
}

/**
 * Finds which headers the vault has stored, where and since when. The vault stores only a hash of the three, but a header can
 * be posted only within two hours of its `cursorTime`: so each second of these is tried, the first ones first. No old event is needed.
 */
export async function findPosted({ headers, slots, seqs, most, rest }: Search): Promise<PostedRoot[]> {
  const found = new Map<SignedHeader, PostedRoot>()
  const wanted = new Map<Hex, number>()
  for (const seq of seqs) {
    const hash = slots.at.get(seq)
    if (hash !== undefined && hash !== zeroHash) wanted.set(hash, seq)
  }
  const trials = headers.map((signed) => ({ signed, words: wordsOf(signed.hash) }))
  let hashes = 0
  const isAt = ({ signed, words }: (typeof trials)[number], postedAt: number, seq: number) => {
    hashes += 1
    if (slots.at.get(seq) !== hashWords(words, postedAt, seq)) return false
    found.set(signed, { signed, headerHash: signed.hash, postedAt, seq })
    wanted.delete(slots.at.get(seq) as Hex)
    return true
  }
  for (const trial of trials) {
    const { signed } = trial
    const { newest } = slots
    if (BigInt(signed.number) === newest.number) isAt(trial, newest.postedAt, newest.seq)
    else if (signed.postedAt !== undefined) for (const seq of seqs) if (isAt(trial, signed.postedAt, seq)) break
  }
  for (let delay = 0, paused = 0; delay <= POSTABLE_S && wanted.size > 0 && hashes < most; delay++)
    for (const trial of trials) {
      if (found.has(trial.signed) || BigInt(trial.signed.number) >= slots.newest.number) continue
      for (const seq of wanted.values()) if (isAt(trial, trial.signed.header.cursorTime + delay, seq)) break
      if (hashes - paused < AT_A_TIME) continue
      paused = hashes
      await rest?.()
    }
  return [...found.values()].toSorted((a, b) => a.seq - b.seq)
}

function wordsOf(hash: Hex): Uint8Array {
  const words = new Uint8Array(96)
  words.set(toBytes(hash, { size: 32 }))
  return words
}

export type LastRoot =
  /** `next` is the root after it, or {@link NO_ROOT}. */
  | { readonly kind: 'found'; readonly root: PostedRoot; readonly next: RootRef }
  /** No known root was posted until then. */
  | { readonly kind: 'none' }
  /** The header of the root at `seq` must be known, to see whether it came later. */
  | { readonly kind: 'next_unknown'; readonly root: PostedRoot; readonly seq: number }

/** Finds the last root that was posted until a time, with the one that follows, as the vault checks it. */
export function lastRootUpTo(time: number, roots: readonly PostedRoot[], slots: RootSlots): LastRoot {
  const root = roots.filter(({ postedAt }) => postedAt <= time).reduce<PostedRoot | undefined>(laterOf, undefined)
  if (!root) return { kind: 'none' }
  const seq = seqAfter(root.seq, slots)
  if (seq === undefined) return { kind: 'found', root, next: NO_ROOT }
  const next = roots.find((each) => each.seq === seq)
  if (!next) return { kind: 'next_unknown', root, seq }
  const { headerHash, postedAt } = next
  return { kind: 'found', root, next: { headerHash, postedAt, seq } }
}

const laterOf = (last: PostedRoot | undefined, each: PostedRoot) => (last && last.seq > each.seq ? last : each)

/** The place of the next root that is not dropped. */
function seqAfter(seq: number, { newest, at }: RootSlots): number | undefined {
  for (let next = seq + 1; next <= newest.seq; next++) if (at.get(next) !== zeroHash) return next
  return undefined
}
