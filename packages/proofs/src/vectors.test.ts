import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Hex, toHex } from './bytes.ts'
import { type Header, hashHeader } from './header.ts'
import { EMPTY_HASH, hashLeaf, type Leaf } from './leaf.ts'
import {
  hashOrder,
  hashPledge,
  hashPools,
  type LendingPool,
  type LoanOrder,
  type Pledge,
  PositionsTree,
  positionsRootOfPath,
} from './positions.ts'
import { rootOfPath, SumTree } from './sum-tree.ts'

type Step = { readonly hash: Hex; readonly sum: bigint }
type Placed<Value> = Value & { readonly place: number; readonly hash: Hex }

/** Figures by other code, with which the vault's libraries are tested too. Its amounts are decimal text. */
interface Vectors {
  readonly users: {
    readonly depth: number
    readonly asset: Hex
    readonly empty: Hex
    readonly root: Hex
    readonly leaves: readonly (Placed<Leaf> & { readonly path: readonly Step[] })[]
    readonly deep: { depth: number; leaf: number; place: number; root: Hex; path: readonly Step[] }
  }
  readonly positions: {
    readonly pledge: Placed<Pledge> & { readonly path: readonly Hex[] }
    readonly order: Placed<LoanOrder> & { readonly path: readonly Hex[] }
    readonly levels: readonly Hex[][]
    readonly root: Hex
  }
  readonly pools: { readonly list: readonly LendingPool[]; readonly hash: Hex }
  readonly domain: { readonly chainId: number; readonly verifyingContract: Hex }
  readonly header: Header & { readonly hash: Hex }
}

const FILE = join(import.meta.dirname, '../../../vault/test/exit/vectors.json')
const { users, positions, pools, domain, header }: Vectors = JSON.parse(readFileSync(FILE, 'utf8'), (_, value) =>
  /^\d+$/.test(value) && typeof value === 'string' ? BigInt(value) : value,
)

const toBytes = (hex: Hex) => Buffer.from(hex.slice(2), 'hex')
const toPath = (path: readonly Step[]) => path.map(({ hash, sum }) => ({ hash: toBytes(hash), sum }))

test('the users tree equals the vectors', () => {
  const tree = new SumTree(users.depth)
  tree.set(users.leaves.map((leaf) => ({ place: leaf.place, hash: hashLeaf(leaf), sum: leaf.free })))
  expect(toHex(EMPTY_HASH)).toBe(users.empty)
  expect(users.leaves.map((leaf) => toHex(hashLeaf(leaf)))).toEqual(users.leaves.map(({ hash }) => hash))
  expect(toHex(tree.root(users.asset))).toBe(users.root)
  for (const { place, path } of users.leaves) expect(tree.path(place)).toEqual(toPath(path))
})

test('a leaf of a deep tree leads to its root', () => {
  const { depth, place, path, root } = users.deep
  const { hash, free } = users.leaves[users.deep.leaf] as Vectors['users']['leaves'][number]
  const leaf = { hash: toBytes(hash), sum: free }
  expect(toHex(rootOfPath({ asset: users.asset, depth, place, leaf, path: toPath(path) }))).toBe(root)
})

test('positions and pools equal the vectors', () => {
  const { pledge, order, root, levels } = positions
  const hashes = [hashPledge(pledge), hashOrder(order)]
  expect(hashes.map(toHex)).toEqual([pledge.hash, order.hash])
  const tree = new PositionsTree(levels.length - 1)
  tree.set([pledge, order].map(({ place }, index) => ({ place, hash: hashes[index] })))
  expect(toHex(tree.root())).toBe(root)
  expect(tree.path(order.place).map(toHex)).toEqual(order.path)
  expect(toHex(positionsRootOfPath(toBytes(pledge.hash), pledge.place, pledge.path.map(toBytes)))).toBe(root)
  expect(toHex(hashPools(pools.list))).toBe(pools.hash)
  // A cleared order leaves the tree as if it had never been there.
  tree.set([{ place: order.place, hash: undefined }])
  const alone = new PositionsTree(levels.length - 1)
  alone.set([{ place: pledge.place, hash: hashes[0] }])
  expect(tree.root()).toEqual(alone.root())
})

test('the header hash equals the vector and covers every field', () => {
  const { hash, cursorTime, boxDay, depth, ...rest } = header
  const message = { ...rest, cursorTime: Number(cursorTime), boxDay: Number(boxDay), depth: Number(depth) }
  const of = (value: Header, chainId = domain.chainId) =>
    hashHeader(value, { chainId, vault: domain.verifyingContract })
  expect(of(message)).toBe(hash)

  for (const [name, value] of Object.entries(message)) {
    expect(of({ ...message, [name]: changed(value) }), name).not.toBe(hash)
  }
  for (const [name, value] of Object.entries(message.assets[0] ?? {})) {
    const assets = message.assets.map((each, index) => (index === 0 ? { ...each, [name]: changed(value) } : each))
    expect(of({ ...message, assets }), name).not.toBe(hash)
  }
  expect(of(message, 56)).not.toBe(hash)
})

function changed(value: unknown): unknown {
  if (typeof value === 'bigint') return value + 1n
  if (typeof value === 'number') return value + 1
  if (Array.isArray(value)) return value.slice(1)
  return `${value}`.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
}
