import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Hex, MAX_UINT128 } from './bytes.ts'
import { hashLeaf } from './leaf.ts'
import { rootOfPath, SumTree } from './sum-tree.ts'

const ASSET: Hex = '0x55d398326f99059ff775485246999027b3197955'
const DEPTH = 6

function changeOf(place: number, free: bigint) {
  const salt: Hex = `0x${place.toString(16).padStart(64, '0')}`
  const account: Hex = `0x${place.toString(16).padStart(40, '0')}`
  const hash = hashLeaf({ salt, account, asset: ASSET, free, depositedSeen: free, paidSeen: 0n })
  return { place, hash, sum: free }
}

const changes = fc.array(
  fc
    .record({ place: fc.nat(2 ** DEPTH - 1), free: fc.bigInt(0n, 2n ** 120n) })
    .map((each) => changeOf(each.place, each.free)),
  { minLength: 1, maxLength: 40 },
)

function treeOf(...batches: readonly ReturnType<typeof changeOf>[][]) {
  const tree = new SumTree(DEPTH)
  for (const batch of batches) tree.set(batch)
  return tree
}

test('changes in any batches lead to the root of a rebuild', () => {
  fc.assert(
    fc.property(fc.array(changes, { minLength: 1, maxLength: 5 }), (batches) => {
      const last = new Map(batches.flat().map((change) => [change.place, change]))
      const tree = treeOf(...batches)
      expect(tree.root(ASSET)).toEqual(treeOf([...last.values()]).root(ASSET))
      expect(tree.sum).toBe([...last.values()].reduce((total, { sum }) => total + sum, 0n))
    }),
  )
})

test('a path leads to the root from its own leaf only', () => {
  fc.assert(
    fc.property(changes, fc.nat(DEPTH - 1), (batch, step) => {
      const tree = treeOf(batch)
      const place = batch.at(-1)?.place ?? 0
      const proof = { asset: ASSET, depth: DEPTH, leaf: tree.leaf(place), place, path: tree.path(place) }
      const root = tree.root(ASSET)
      expect(rootOfPath(proof)).toEqual(root)

      const foreign = changeOf(place, proof.leaf.sum + 1n)
      expect(rootOfPath({ ...proof, leaf: foreign })).not.toEqual(root)
      expect(rootOfPath({ ...proof, leaf: { ...proof.leaf, sum: proof.leaf.sum + 1n } })).not.toEqual(root)
      const moved = place ^ (1 << step)
      const neighbour = tree.leaf(moved)
      if (!neighbour.hash.equals(proof.leaf.hash)) {
        expect(rootOfPath({ ...proof, leaf: neighbour })).not.toEqual(root)
        expect(rootOfPath({ ...proof, path: tree.path(moved) })).not.toEqual(root)
      }
      const path = proof.path.map((each, height) => (height === step ? { ...each, sum: each.sum + 1n } : each))
      expect(rootOfPath({ ...proof, path })).not.toEqual(root)
    }),
  )
})

test('a total above 128 bits is rejected and changes nothing', () => {
  const tree = treeOf([changeOf(3, MAX_UINT128)])
  const root = tree.root(ASSET)
  expect(() => tree.set([changeOf(40, 1n)])).toThrow('does not fit into 128 bits')
  expect(() => tree.set([changeOf(3, 5n), changeOf(64, 1n)])).toThrow('64 is no place')
  expect(tree.root(ASSET)).toEqual(root)
  tree.set([changeOf(3, MAX_UINT128 - 1n), changeOf(40, 1n)])
  expect(tree.sum).toBe(MAX_UINT128)
})

test('a path of another length, place or sum is rejected', () => {
  const tree = treeOf([changeOf(3, 7n)])
  const proof = { asset: ASSET, depth: DEPTH, leaf: tree.leaf(3), place: 3, path: tree.path(3) }
  expect(() => rootOfPath({ ...proof, path: proof.path.slice(1) })).toThrow('the path has 5 steps')
  expect(() => rootOfPath({ ...proof, place: 67 })).toThrow('67 is no place')
  const path = proof.path.map((each) => ({ ...each, sum: MAX_UINT128 }))
  expect(() => rootOfPath({ ...proof, path })).toThrow('does not fit into 128 bits')
})

test('a field of another size is rejected', () => {
  const leaf = {
    salt: `0x${'0'.repeat(64)}`,
    account: ASSET,
    asset: ASSET,
    free: 1n,
    depositedSeen: 0n,
    paidSeen: 0n,
  } as const
  expect(() => hashLeaf({ ...leaf, salt: '0x00' })).toThrow('no hex value of 32 bytes')
  expect(() => hashLeaf({ ...leaf, account: `0x${'zz'.repeat(20)}` })).toThrow('no hex value of 20 bytes')
  expect(() => hashLeaf({ ...leaf, free: -1n })).toThrow('does not fit')
})
