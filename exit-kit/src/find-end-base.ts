import type { ChainView } from './find-base.ts'
import type { KitData, SignedHeader } from './kit-data.ts'
import { findPosted, hashRef, type PostedRoot } from './posted-roots.ts'

const MOST_HASHES = 1_500_000

/** The roots that a claim names. */
export interface EndRoots {
  /** The vault's last root. */
  readonly root: PostedRoot
  /** The root of the account's last exit, where the last root does not know that payment. */
  readonly earlier: PostedRoot | undefined
  /** The one of the two whose paths the vault takes. */
  readonly paidBy: PostedRoot
}

export type EndBase =
  | ({ readonly kind: 'found' } & EndRoots)
  /** No file has the vault's last header. */
  | { readonly kind: 'header_needed'; readonly number: string }
  /** The paths in this header are needed: from a file, or built from the proof data. */
  | ({ readonly kind: 'paths_needed' } & EndRoots)
  /** The header of the post `seq` is needed: the account's last exit was paid under it. */
  | { readonly kind: 'earlier_needed'; readonly seq: number }
  | { readonly kind: 'below_floor' }

/** Finds the root that decides a claim after the end, in the vault's current storage. */
export async function findEndBase(
  data: KitData,
  { slots, account }: ChainView,
  rest?: () => Promise<void>,
): Promise<EndBase> {
  const { newest } = slots
  const isLast = (signed: SignedHeader) => hashRef({ ...newest, headerHash: signed.hash }) === slots.at.get(newest.seq)
  const signed = data.headers.find((each) => BigInt(each.number) === newest.number && isLast(each))
  if (!signed) return { kind: 'header_needed', number: `${newest.number}` }
  const root: PostedRoot = { signed, headerHash: signed.hash, postedAt: newest.postedAt, seq: newest.seq }
  let earlier: PostedRoot | undefined
  if (BigInt(account.lastBlock) > BigInt(signed.header.cursorBlock) && account.lastBase !== newest.seq) {
    const search = { headers: data.headers, slots, seqs: [account.lastBase], most: MOST_HASHES }
    // The search also finds the newest root.
    const posted = await findPosted(rest ? { ...search, rest } : search)
    earlier = posted.find(({ seq }) => seq === account.lastBase)
    if (!earlier) return { kind: 'earlier_needed', seq: account.lastBase }
  }
  const paidBy = earlier ?? root
  if (paidBy.seq < account.floor) return { kind: 'below_floor' }
  const found = { root, earlier, paidBy }
  const hasPaths = data.paths.some(({ number }) => number === paidBy.signed.number)
  return { kind: hasPaths ? 'found' : 'paths_needed', ...found }
}
