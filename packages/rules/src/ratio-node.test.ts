import { expect, test } from 'vitest'
import { compareEntries, formatNode, parseNode, type RatioNode } from './ratio-node.ts'

const entry = (id: string, collateral: bigint, debtShares: bigint) => ({ id, collateral, debtShares })

test.each<[string, RatioNode, string]>([
  ['a leaf', { kind: 'leaf', entries: [entry('a', 2n, 3n)] }, '{"entries":[["a","2","3"]]}'],
  ['an empty root', { kind: 'leaf', next: 4, free: 'P:2', entries: [] }, '{"next":4,"free":"P:2","entries":[]}'],
  ['the last free node', { kind: 'free', free: null }, '{"free":null}'],
  ['a free node before another', { kind: 'free', free: 'P:2' }, '{"free":"P:2"}'],
  [
    'a root with children',
    {
      kind: 'branch',
      next: 3,
      children: [
        { id: 'P:1', first: entry('a', 2n, 3n), collateral: 7n, debtShares: 9n },
        { id: 'P:2', first: entry('b', 5n, 1n), collateral: 5n, debtShares: 1n },
      ],
    },
    '{"next":3,"children":[["P:1","a","2","3","7","9"],["P:2","b","5","1","5","1"]]}',
  ],
])('%s is stored as text and read back', (_what, node, text) => {
  expect(formatNode(node)).toBe(text)
  expect(parseNode(text)).toEqual(node)
})

// By hand: 1 ÷ 2 is less than 2 ÷ 3, and 2 ÷ 4 is as much as 1 ÷ 2.
test.each([
  ['the riskier first', entry('b', 1n, 2n), entry('a', 2n, 3n), -1],
  ['the safer last', entry('a', 2n, 3n), entry('b', 1n, 2n), 1],
  ['equal ratios by id', entry('a', 2n, 4n), entry('b', 1n, 2n), -1],
  ['equal ratios by id, reversed', entry('b', 1n, 2n), entry('a', 2n, 4n), 1],
  ['an entry as itself', entry('a', 2n, 4n), entry('a', 2n, 4n), 0],
])('entries are ordered: %s', (_what, a, b, order) => {
  expect(compareEntries(a, b)).toBe(order)
})
