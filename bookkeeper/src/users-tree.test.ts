import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ledger, readRoots } from '@clearwell/verify/balance-trees'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashLeaf, UsersTree } from './users-tree.ts'

const vectors = JSON.parse(readFileSync(join(import.meta.dirname, '../../vault/test/exit/vectors.json'), 'utf8'))
const USDT = '0x55d398326f99059ff775485246999027b3197955'

test('builds the root of the vectors', () => {
  const { users } = vectors
  const tree = new UsersTree(users.depth)
  tree.set(
    new Map(
      users.leaves.map((leaf: Record<string, string>) => {
        const [free, depositedSeen, paidSeen] = [leaf.free, leaf.depositedSeen, leaf.paidSeen].map((each) =>
          BigInt(each ?? ''),
        )
        const { salt, account, place } = leaf
        return [
          Number(place),
          { hash: hashLeaf({ salt, account, token: users.asset, free, depositedSeen, paidSeen } as never), sum: free },
        ]
      }),
    ),
  )
  expect(tree.root(users.asset)).toBe(users.root)
})

test('grows to the root that the verifier builds in one pass', async () => {
  const leaf = fc.record({ place: fc.nat(2 ** 20 - 1), units: fc.bigInt(0n, 2n ** 100n) })
  await fc.assert(
    fc.asyncProperty(fc.array(leaf, { minLength: 1, maxLength: 12 }), async (steps) => {
      const tree = new UsersTree(20)
      const last = new Map<number, bigint>()
      for (const { place, units } of steps) {
        last.set(place, units)
        tree.set(new Map([[place, { hash: leafOf(place, units), sum: units }]]))
      }
      const places = [...last.keys()]
      const ledger = new Ledger('')
      for (const [place, units] of last) ledger.balances.set(`user:${accountOf(place)}:available USDT`, units)
      const accounts = places.map((place) => ({ account: accountOf(place), place, salt: saltOf(place) }))
      const roots = await readRoots({ accounts, seen: [], tokens: { USDT }, depth: 20 }, ledger)
      expect(tree.root(USDT)).toBe(roots.USDT)
    }),
    { numRuns: 20 },
  )
})

test('rejects places outside the tree and sums over 128 bits', () => {
  const tree = new UsersTree(3)
  const node = { hash: Buffer.alloc(32), sum: 2n ** 127n }
  expect(() => tree.set(new Map([[8, node]]))).toThrow('8 is no place')
  expect(() =>
    tree.set(
      new Map([
        [0, node],
        [1, node],
      ]),
    ),
  ).toThrow('does not fit into 128 bits')
})

const accountOf = (place: number) => `0x${place.toString(16).padStart(40, '0')}`
const saltOf = (place: number) => `0x${place.toString(16).padStart(64, '0')}`
function leafOf(place: number, free: bigint) {
  return hashLeaf({
    salt: saltOf(place),
    account: accountOf(place),
    token: USDT,
    free,
    depositedSeen: 0n,
    paidSeen: 0n,
  })
}
