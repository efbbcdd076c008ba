import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RAY } from './borrow-index.ts'
import { knownLoss, type LossTerms, lossLine } from './known-loss.ts'
import { RatioIndex } from './ratio-index.ts'
import type { RatioEntry } from './ratio-node.ts'
import { E18 } from './testing/loans.ts'
import { MemoryNodes } from './testing/memory-nodes.ts'

const anyEntry = fc.record({
  id: fc.integer({ min: 0, max: 400 }).map(String),
  // Few values, so that many ratios are equal.
  collateral: fc.bigInt({ min: 1n, max: 30n }),
  debtShares: fc.bigInt({ min: 1n, max: 30n }),
})

test('sums below a line equal those of all orders after any changes', () => {
  fc.assert(
    fc.property(
      fc.array(anyEntry, { maxLength: 300 }),
      fc.bigInt({ min: 0n, max: 40n }),
      fc.bigInt({ min: 0n, max: 40n }),
      fc.constantFrom(3, 4, 32),
      (entries, top, bottom, fanOut) => {
        const nodes = new MemoryNodes()
        const orders = new Map<string, RatioEntry>()
        for (const entry of entries) {
          const before = orders.get(entry.id)
          // Each second change of an order ends it.
          const after = before ? undefined : entry
          const index = new RatioIndex(nodes, 'BNB:USDT', fanOut)
          index.replace(before, after)
          nodes.write(index.changes())
          if (after) orders.set(after.id, after)
          else orders.delete(entry.id)
        }
        const below = [...orders.values()].filter((each) => each.collateral * bottom < each.debtShares * top)
        const sum = (of: (entry: RatioEntry) => bigint) => below.reduce((total, each) => total + of(each), 0n)
        expect(new RatioIndex(nodes, 'BNB:USDT', fanOut).sumBelow({ top, bottom })).toEqual({
          collateral: sum(({ collateral }) => collateral),
          debtShares: sum(({ debtShares }) => debtShares),
        })
      },
    ),
    { numRuns: 300 },
  )
})

test('an order is inserted once and removed as it was inserted', () => {
  const index = new RatioIndex(new MemoryNodes(), 'BNB:USDT')
  const entry = { id: 'a', collateral: 1n, debtShares: 2n }
  index.insert(entry)
  expect(() => index.insert(entry)).toThrow(RangeError)
  expect(() => index.remove({ ...entry, debtShares: 3n })).toThrow(RangeError)
  index.remove(entry)
  expect(() => index.remove(entry)).toThrow(RangeError)
})

test('an order of the same ratio is not taken for another', () => {
  const index = new RatioIndex(new MemoryNodes(), 'BNB:USDT')
  const of = (id: string, units: bigint) => ({ id, collateral: units, debtShares: units })
  for (const id of ['a', 'b', 'c']) index.insert(of(id, 5n))
  for (const wrong of [of('a', 4n), { ...of('a', 5n), collateral: 6n }, { ...of('a', 5n), debtShares: 6n }])
    expect(() => index.remove(wrong)).toThrow(RangeError)
  index.remove(of('b', 5n))
  expect(() => index.remove(of('b', 5n))).toThrow(RangeError)
  for (const id of ['a', 'c']) index.remove(of(id, 5n))
  expect(index.sumBelow({ top: 10n, bottom: 1n })).toEqual({ collateral: 0n, debtShares: 0n })
})

test('the known loss counts orders below the line, rounded up once', () => {
  const terms: LossTerms = {
    indexE27: RAY,
    prices: { collateral: E18, borrowed: E18 },
    countedBps: 10_000n,
    floorBps: 10_200n,
  }
  const index = new RatioIndex(new MemoryNodes(), 'BNB:USDT')
  index.insert({ id: 'sound', collateral: 102n, debtShares: 100n })
  index.insert({ id: 'under', collateral: 101n, debtShares: 100n })
  const lossOf = (changed: Partial<LossTerms> = {}) => {
    const all = { ...terms, ...changed }
    return knownLoss([{ terms: all, below: index.sumBelow(lossLine(all)) }])
  }
  // 100 - 101 ÷ 1.02 = 0.98…
  expect(lossOf()).toBe(1n)
  // 200 - 203 × 0.8 ÷ 1.02 = 40.78…
  expect(lossOf({ countedBps: 8_000n })).toBe(41n)
  expect(lossOf({ prices: { collateral: 0n, borrowed: E18 } })).toBe(200n)
  expect(knownLoss([])).toBe(0n)
})

/** Entries of any ratio, in a fixed random order, all inserted by one object. */
function filled(orders: number): MemoryNodes {
  const nodes = new MemoryNodes()
  const index = new RatioIndex(nodes, 'BNB:USDT')
  let state = 1n
  for (let id = 0; id < orders; id++) {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n
    index.insert({ id: `order-${id}`, collateral: 1n + (state >> 40n), debtShares: 1n + (state & 0xffffffn) })
  }
  nodes.write(index.changes())
  nodes.reads = 0
  return nodes
}

test('100,000 orders read one node more than 1,000', { timeout: 60_000 }, () => {
  const costs = [1_000, 100_000].map((orders) => {
    const nodes = filled(orders)
    new RatioIndex(nodes, 'BNB:USDT').sumBelow({ top: 1n, bottom: 1n })
    const sum = nodes.reads
    const index = new RatioIndex(nodes, 'BNB:USDT')
    index.insert({ id: 'new', collateral: 1n, debtShares: 1n })
    return { sum, insert: nodes.reads - sum, writes: index.changes().length }
  })
  expect(costs).toEqual([
    { sum: 3, insert: 3, writes: 3 },
    { sum: 4, insert: 4, writes: 4 },
  ])
})
