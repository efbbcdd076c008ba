import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BalanceTrees, CHANGE_BYTES, packChange } from './balance-trees.ts'
import type { Hex } from './bytes.ts'
import { hashLeaf } from './leaf.ts'
import { SumTree } from './sum-tree.ts'

const ASSETS: readonly Hex[] = [`0x${'00'.repeat(20)}`, `0x${'55'.repeat(20)}`]
const ACCOUNTS = [3, 700_000, 1_048_575].map((place) => ({
  place,
  account: `0x${place.toString(16).padStart(40, '0')}` as Hex,
  salt: `0x${(place * 7).toString(16).padStart(64, '0')}` as Hex,
}))
const units = fc.bigInt(0n, 2n ** 126n)
const change = fc.record({
  place: fc.constantFrom(...ACCOUNTS.map(({ place }) => place)),
  asset: fc.nat(ASSETS.length - 1),
  free: units,
  depositedSeen: units,
  paidSeen: units,
})

function newTrees(): BalanceTrees {
  const trees = new BalanceTrees(ASSETS)
  for (const account of ACCOUNTS) trees.place(account)
  return trees
}

test('changes in any batches lead to the leaves of the last ones', () => {
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 4 }), (batches) => {
      const trees = newTrees()
      for (const batch of batches) {
        const packed = Buffer.alloc(batch.length * CHANGE_BYTES)
        for (const [index, each] of batch.entries()) packChange(each, packed, index * CHANGE_BYTES)
        trees.change(packed)
        if (batch.length % 2 === 0) trees.heads()
      }
      const expected = ASSETS.map((asset, index) => {
        const tree = new SumTree()
        const leaves = ACCOUNTS.map(({ place, ...owner }) => {
          const nothing = { free: 0n, depositedSeen: 0n, paidSeen: 0n }
          const last = batches.flat().findLast((each) => each.place === place && each.asset === index) ?? nothing
          const { free, depositedSeen, paidSeen } = last
          return { place, hash: hashLeaf({ ...owner, asset, free, depositedSeen, paidSeen }), sum: free }
        })
        tree.set(leaves)
        return { asset, root: tree.root(asset), sum: tree.sum }
      })
      expect(trees.heads()).toEqual(expected)
    }),
    { numRuns: 10 },
  )
})

test('a taken place and a place without an account are rejected', () => {
  const trees = newTrees()
  expect(() => trees.place({ ...ACCOUNTS[0]!, account: ASSETS[1]! })).toThrow('place 3 is taken')
  const packed = Buffer.alloc(CHANGE_BYTES)
  packChange({ place: 4, asset: 0, free: 1n, depositedSeen: 0n, paidSeen: 0n }, packed, 0)
  expect(() => trees.change(packed)).toThrow('place 4 has no account')
})
