import { type Header, hashHeader } from '@clearwell/proofs/header'
import { hashLeaf } from '@clearwell/proofs/leaf'
import { SumTree } from '@clearwell/proofs/sum-tree'
import { type Hex, toHex, zeroAddress, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type KitData, readKitData, type SignedHeader } from '../kit-data.ts'
import { hashRef, type PostedRoot, type RootSlots } from '../posted-roots.ts'

/** Headers, paths and a vault's list of roots as a user and a node would have them. */
export const CHAIN_ID = 31_337
export const VAULT: Hex = '0x00000000000000000000000000000000000000c1'
export const USDT: Hex = '0x00000000000000000000000000000000000000d7'
export const ALICE: Hex = '0x00000000000000000000000000000000000a11ce'
export const rootKey = privateKeyToAccount(toHex(1n, { size: 32 }))
export const bookkeeper = privateKeyToAccount(toHex(2n, { size: 32 }))
/** 1 November 2026, in seconds. */
export const START = 1_793_491_200
const SALT: Hex = `0x${'5a'.repeat(32)}`
const PLACE = 703_710

const TOKENS: Readonly<Record<string, Hex>> = { BNB: zeroAddress, USDT }

/** A header of a ledger in which Alice has these amounts and another account 1,000. */
export async function sampleHeader(number: number, free: Readonly<Record<string, bigint>>, vault = VAULT) {
  const leaves = Object.entries(TOKENS).map(([asset, token]) => sampleLeaf(asset, token, free[asset] ?? 0n))
  const zeros = { lending: 0n, payouts: 0n, house: 0n, locked: 0n, paidSeen: 0n, exitedSeen: 0n, payoutPaidSeen: 0n }
  const fields: Header = {
    ...{ number: BigInt(number), previous: zeroHash, ledgerSeq: BigInt(number), entryHash: zeroHash },
    ...{ cursorBlock: BigInt(100 + number), cursorHash: zeroHash, cursorTime: START + number, positionsRoot: zeroHash },
    ...{ pools: zeroHash, rules: zeroHash, boxDay: 0, boxRoot: zeroHash, dataHash: zeroHash, depth: 20 },
    ...{ rtRoot: zeroHash, rtUsers: 0n },
    assets: leaves.map(({ token, root, users }) => ({ token, root, users, depositedSeen: users, ...zeros })),
  }
  const hash = hashHeader(fields, { chainId: CHAIN_ID, vault })
  const signatures = { root: await rootKey.sign({ hash }), bookkeeper: await bookkeeper.sign({ hash }) }
  const header = JSON.parse(JSON.stringify(fields, (_, value) => (typeof value === 'bigint' ? `${value}` : value)))
  const signed: SignedHeader = { number: `${number}`, hash, header, signatures, postedAt: undefined }
  return { signed, mine: { number: `${number}`, leaves: leaves.map(({ leaf }) => leaf) } }
}

function sampleLeaf(asset: string, token: Hex, free: bigint) {
  const tree = new SumTree()
  const counters = { depositedSeen: free, paidSeen: 0n }
  const other = { salt: SALT, account: VAULT, asset: token, free: 1_000n, ...counters }
  const hash = hashLeaf({ salt: SALT, account: ALICE, asset: token, free, ...counters })
  tree.set([
    { place: PLACE, hash, sum: free },
    { place: 5, hash: hashLeaf(other), sum: 1_000n },
  ])
  const path = tree.path(PLACE).map(({ hash: beside, sum }, height) => ({
    ...{ hash: toHex(beside), sum: `${sum}` },
    side: (PLACE >>> height) & 1 ? 'left' : 'right',
  }))
  const seen = { deposited_seen: `${free}`, paid_seen: '0' }
  const leaf = { kind: 'user', asset, free: `${free}`, ...seen, salt: SALT, index: PLACE, path }
  return { token, leaf, root: toHex(tree.root(token)), users: tree.sum }
}

export type Sample = Awaited<ReturnType<typeof sampleHeader>>

/** The data of a personal copy. `without` lists samples of which only the header is known. */
export function sampleData(withPaths: readonly Sample[], without: readonly Sample[] = []): KitData {
  return readKitData(
    JSON.stringify({
      ...{ chainId: CHAIN_ID, vault: VAULT, account: ALICE },
      headers: [...withPaths, ...without].map(({ signed }) => signed),
      paths: withPaths.map(({ mine }) => mine),
    }),
  )
}

/** A vault's list of roots: each was posted so many seconds after the {@link START}. `undefined` was dropped. */
export function slotsOf(posts: readonly (readonly [Sample, number] | undefined)[]): RootSlots {
  const roots = posts.map((post, i) => post && postedOf(post[0], { postedAt: START + post[1], seq: i + 1 }))
  const last = roots.findLast((root) => root !== undefined) as PostedRoot
  const { postedAt, seq } = last
  return {
    newest: { number: BigInt(last.signed.number), postedAt, seq },
    at: new Map(roots.map((root, i) => [i + 1, root ? hashRef(root) : zeroHash])),
  }
}

export function postedOf({ signed }: Sample, where: { readonly postedAt: number; readonly seq: number }): PostedRoot {
  return { signed, headerHash: signed.hash, ...where }
}
