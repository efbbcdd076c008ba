import { beforeEach, describe, expect, test } from 'vitest'
import { RatioIndex } from './ratio-index.ts'
import { MemoryNodes } from './testing/memory-nodes.ts'

let nodes: MemoryNodes
beforeEach(() => {
  nodes = new MemoryNodes()
})

/** Order `n` has the ratio n ÷ 1. */
const order = (n: number) => ({ id: `o${n}`, collateral: BigInt(n), debtShares: 1n })

/** Changes an index of at most two in a node, as one command does. */
function change(act: (index: RatioIndex) => void): void {
  const index = new RatioIndex(nodes, 'P', 2)
  act(index)
  nodes.write(index.changes())
}
const insert = (...numbers: number[]) => {
  for (const n of numbers) change((index) => index.insert(order(n)))
}
const remove = (...numbers: number[]) => {
  for (const n of numbers) change((index) => index.remove(order(n)))
}
const stored = () => Object.fromEntries([...nodes.bodies].map(([id, body]) => [id, JSON.parse(body)]))
/** Sums of the orders up to a ratio. */
const upTo = (n: number) => new RatioIndex(nodes, 'P', 2).sumBelow({ top: BigInt(2 * n + 1), bottom: 2n })

describe('the nodes of an index', () => {
  test('keep entries in order, and sums over each child', () => {
    insert(2, 1)
    expect(stored()).toEqual({
      P: {
        entries: [
          ['o1', '1', '1'],
          ['o2', '2', '1'],
        ],
      },
    })
    insert(3)
    // Of a full root the first half, rounded up, goes left.
    expect(stored()).toEqual({
      P: {
        next: 3,
        children: [
          ['P:1', 'o1', '1', '1', '3', '2'],
          ['P:2', 'o3', '3', '1', '3', '1'],
        ],
      },
      'P:1': {
        entries: [
          ['o1', '1', '1'],
          ['o2', '2', '1'],
        ],
      },
      'P:2': { entries: [['o3', '3', '1']] },
    })
  })

  test('split a branch when it has too many children', () => {
    insert(1, 2, 3, 4, 5)
    const { P: root } = stored()
    expect(root).toEqual({
      next: 6,
      children: [
        ['P:4', 'o1', '1', '1', '10', '4'],
        ['P:5', 'o5', '5', '1', '5', '1'],
      ],
    })
    expect(stored()['P:4'].children.map(([id]: string[]) => id)).toEqual(['P:1', 'P:2'])
    expect([0, 1, 2, 3, 4, 5].map((n) => upTo(n).collateral)).toEqual([0n, 1n, 3n, 6n, 10n, 15n])
  })

  test('take an order before all others as the first of every level', () => {
    insert(2, 3, 4, 1)
    expect(stored().P.children[0].slice(1, 4)).toEqual(['o1', '1', '1'])
    expect([upTo(0), upTo(1)]).toEqual([
      { collateral: 0n, debtShares: 0n },
      { collateral: 1n, debtShares: 1n },
    ])
  })

  test('change only above an order', () => {
    insert(1, 2, 3, 4, 5)
    const index = new RatioIndex(nodes, 'P', 2)
    index.insert(order(6))
    expect(
      index
        .changes()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['P', 'P:3', 'P:5'])
  })
})

describe('an empty node', () => {
  test('is freed, and used again before a new one', () => {
    insert(1, 2, 3, 4, 5)
    const ids = Object.keys(stored()).toSorted()
    remove(1, 2, 3, 4, 5)
    const { P: root, ...others } = stored()
    expect(root).toEqual({ next: 6, free: expect.any(String), entries: [] })
    // Each free node names the one after it, and the last one none.
    expect(Object.values(others).map((node) => Object.keys(node))).toEqual(Array.from({ length: 5 }, () => ['free']))
    const chain: string[] = []
    for (let id = root.free; id !== null; id = others[id].free) chain.push(id)
    expect(chain.toSorted()).toEqual(ids.filter((id) => id !== 'P'))
    insert(1, 2, 3, 4, 5)
    expect(Object.keys(stored()).toSorted()).toEqual(ids)
    expect(upTo(5)).toEqual({ collateral: 15n, debtShares: 5n })
  })

  test('of a branch leaves its siblings', () => {
    insert(1, 2, 3, 4, 5)
    remove(5)
    // The right half of the root was freed whole, and the root became its left half.
    expect(stored().P.children.map(([id]: string[]) => id)).toEqual(['P:1', 'P:2'])
    expect([upTo(2).collateral, upTo(4).collateral, upTo(9).collateral]).toEqual([3n, 10n, 10n])
    remove(1, 2)
    expect(stored().P.entries).toEqual([
      ['o3', '3', '1'],
      ['o4', '4', '1'],
    ])
  })
})

// Forty orders make a tree of six levels. Its nodes are freed from either end, and from the middle.
test.each<[string, (n: number) => number]>([
  ['from the first', (n) => n],
  ['from the last', (n) => 41 - n],
  ['from the middle', (n) => ((n + 19) % 40) + 1],
  ['in steps', (n) => (n * 7) % 41],
])('a deep tree keeps its sums while orders leave %s', (_how, orderOf) => {
  const all = Array.from({ length: 40 }, (_, index) => index + 1)
  insert(...all)
  const left = new Set(all)
  for (const each of all.map(orderOf)) {
    remove(each)
    left.delete(each)
    const sums = all.map((n) => BigInt([...left].reduce((sum, other) => (other <= n ? sum + other : sum), 0)))
    expect(all.map((n) => upTo(n).collateral)).toEqual(sums)
  }
  const { P: root, ...others } = stored()
  expect(root.entries).toEqual([])
  const free: string[] = []
  for (let id = root.free; id !== null; id = others[id].free) free.push(id)
  expect(free.toSorted()).toEqual(Object.keys(others).toSorted())
})

test('an index of an unknown or free node has a fault', () => {
  nodes.bodies.set('P', JSON.stringify({ next: 2, children: [['P:1', 'o1', '1', '1', '1', '1']] }))
  expect(() => change((index) => index.insert(order(1)))).toThrow('RatioIndex: P:1 is missing')
  nodes.bodies.set('P:1', JSON.stringify({ free: null }))
  expect(() => change((index) => index.insert(order(1)))).toThrow('RatioIndex: P:1 is free')
})

test('an order leaves its old ratio for the new one', () => {
  insert(1, 2, 3)
  change((index) => index.replace(order(1), { ...order(1), collateral: 9n }))
  expect([upTo(1), upTo(3), upTo(9)].map(({ collateral }) => collateral)).toEqual([0n, 5n, 14n])
  change((index) => index.replace({ ...order(1), collateral: 9n }, undefined))
  expect(upTo(9)).toEqual({ collateral: 5n, debtShares: 2n })
  change((index) => index.replace(undefined, order(7)))
  expect(upTo(9)).toEqual({ collateral: 12n, debtShares: 3n })
})
