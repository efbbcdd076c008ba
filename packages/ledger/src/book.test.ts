import { beforeEach, describe, expect, test } from 'vitest'
import { Book, CommittedCache, NotLoaded } from './book.ts'
import { type EntryDraft, write } from './command.ts'
import type { Queryable } from './database.ts'
import { entryHash, GENESIS_HASH } from './entry-hash.ts'
import { column, defineWriterTable, forever } from './table.ts'
import { transfer } from './transfer.ts'

const orders = defineWriterTable('orders', forever('a test'), { id: column.text, name: column.text })
const events = defineWriterTable('events', forever('a test'), { id: column.text }, { isNeverRead: true })

const TIP = { seq: 0n, hash: GENESIS_HASH, at: undefined }
const NOON = new Date('2026-11-22T12:00:00Z')

let cache: CommittedCache
let book: Book
/** Ann has 10 USDT, all other balances that a test uses are zero. */
beforeEach(() => {
  cache = new CommittedCache()
  cache.balances.set('USDT', 'ann', 10n)
  for (const account of ['ben', 'vault']) cache.balances.set('USDT', account, 0n)
  for (const account of ['ann', 'ben']) cache.balances.set('BNB', account, 0n)
  book = new Book(cache, TIP)
})

const pay = (units: bigint, { from = 'ann', to = 'ben', asset = 'USDT' } = {}): EntryDraft => ({
  kind: 'payment',
  reference: 'r',
  postings: transfer({ from, to, asset, units }),
})
const apply = (...entries: EntryDraft[]) => book.apply({ entries, response: null }, NOON)
const balances = () => ['ann', 'ben'].map((account) => book.balance(account, 'USDT'))

describe('an applied plan', () => {
  test('moves units and states the balances after each posting', () => {
    apply(pay(3n), pay(4n))
    expect(balances()).toEqual([3n, 7n])
    expect(book.entries.map(({ postings }) => postings.map((each) => each.balanceAfter))).toEqual([
      [7n, 3n],
      [3n, 7n],
    ])
  })

  test('numbers and chains its entries', () => {
    apply(pay(3n), pay(4n))
    const [first, second] = book.entries
    expect([first?.seq, second?.seq, book.tip.seq]).toEqual([1n, 2n, 2n])
    const entry = { seq: 1n, kind: 'payment', at: NOON, reference: 'r', postings: pay(3n).postings }
    const hash = entryHash(GENESIS_HASH, entry)
    expect(first?.hash).toEqual(hash)
    expect(second?.hash).toEqual(entryHash(hash, { ...entry, seq: 2n, postings: pay(4n).postings }))
    expect(book.tip.hash).toEqual(second?.hash)
  })

  test('may take the last unit, and the vault below zero', () => {
    apply(pay(10n), pay(5n, { from: 'vault', to: 'ann' }))
    expect([...balances(), book.balance('vault', 'USDT')]).toEqual([5n, 10n, -5n])
  })

  test('never goes back in time', () => {
    apply(pay(1n))
    book.apply({ entries: [pay(1n)], response: null }, new Date(NOON.getTime() - 1))
    expect([book.entries.map(({ at }) => at), book.tip.at]).toEqual([[NOON, NOON], NOON])
    const later = new Date(NOON.getTime() + 1)
    book.apply({ entries: [pay(1n)], response: null }, later)
    expect([book.entries.at(-1)?.at, book.tip.at]).toEqual([later, later])
  })

  test('writes rows without entries', () => {
    book.apply({ rows: [write(orders, { id: '1', name: 'new' })], response: null }, NOON)
    expect(book.row(orders, '1')).toEqual({ id: '1', name: 'new' })
    expect([book.entries, book.tip]).toEqual([[], TIP])
  })
})

describe('a plan with a bug', () => {
  const postings = (...units: [account: string, units: bigint, asset?: string][]) => ({
    kind: 'payment',
    reference: 'r',
    postings: units.map(([account, each, asset = 'USDT']) => ({ account, asset, units: each })),
  })

  test.each([
    ['takes more than there is', [pay(11n)], 'ann would go below zero in USDT'],
    ['has one posting', [postings(['ann', 1n])], 'needs two postings or more'],
    ['has a posting of nothing', [postings(['ann', 0n], ['ben', 0n])], 'a posting of nothing'],
    ['gives more than it takes', [postings(['ann', -1n], ['ben', 2n])], 'USDT does not sum to zero'],
    [
      'changes one asset into another',
      [postings(['ann', -1n], ['ben', 1n, 'BNB'])],
      'payment: USDT does not sum to zero',
    ],
  ])('is refused where it %s', (_what, entries, message) => {
    expect(() => apply(...entries)).toThrow(message)
    expect([balances(), book.entries, book.tip]).toEqual([[10n, 0n], [], TIP])
  })

  test('leaves no trace of its first entry', () => {
    expect(() => apply(pay(6n), pay(5n))).toThrow('below zero')
    expect([balances(), book.changedBalances.size, book.entries, book.tip]).toEqual([[10n, 0n], 0, [], TIP])
  })

  test('leaves the plan before it as it was', () => {
    apply(pay(6n))
    const { tip } = book
    expect(() => apply(pay(1n), pay(1n), pay(3n))).toThrow('below zero')
    expect([balances(), book.entries.length, book.tip]).toEqual([[4n, 6n], 1, tip])
  })
})

describe('state that is not in memory', () => {
  const missing = (step: () => unknown) => {
    try {
      step()
    } catch (error) {
      if (error instanceof NotLoaded) return error.keys
    }
    return undefined
  }

  test('is named, so that the batch can load it', () => {
    expect(missing(() => book.balance('carol', 'USDT'))).toEqual([{ account: 'carol', asset: 'USDT' }])
    expect(missing(() => book.row(orders, '1'))).toEqual([{ table: orders, id: '1' }])
  })

  test('is named for all rows together, without those that are known', () => {
    cache.rows.set(orders, '2', { id: '2' })
    cache.rows.set(orders, '3', null)
    expect(missing(() => book.rows(orders, ['1', '2', '3', '4']))).toEqual([
      { table: orders, id: '1' },
      { table: orders, id: '4' },
    ])
    expect(book.rows(orders, ['2', '3'])).toEqual([{ id: '2' }, undefined])
    expect(book.row(orders, '3')).toBeUndefined()
  })

  test('is loaded once, and what the database lacks is zero', async () => {
    const asked: unknown[] = []
    const db: Queryable = {
      query: async (text, params = []) => {
        asked.push(params)
        if (text.includes('balances')) return [{ account: 'carol', asset: 'USDT', units: 5n }] as never
        return [{ id: '1', name: 'stored' }] as never
      },
    }
    const keys = [
      { account: 'ann', asset: 'USDT' },
      { account: 'carol', asset: 'USDT' },
      { account: 'dora', asset: 'USDT' },
      { table: orders, id: '1' },
      { table: orders, id: '2' },
    ]
    await book.load(db, keys)
    expect(asked).toEqual([['{carol,dora}', '{USDT,USDT}'], ['{1,2}']])
    expect(['ann', 'carol', 'dora'].map((account) => book.balance(account, 'USDT'))).toEqual([10n, 5n, 0n])
    expect(book.rows(orders, ['1', '2'])).toEqual([{ id: '1', name: 'stored' }, undefined])
    await book.load(db, keys)
    expect(asked).toHaveLength(2)
  })
})

describe('a batch that follows another', () => {
  test('sees changes of the one before under its own', () => {
    book.apply({ entries: [pay(3n)], rows: [write(orders, { id: '1', name: 'first' })], response: null }, NOON)
    const next = new Book(cache, book.tip, book)
    expect([next.balance('ann', 'USDT'), next.row(orders, '1')]).toEqual([7n, { id: '1', name: 'first' }])
    next.apply({ entries: [pay(2n)], rows: [write(orders, { id: '1', name: 'second' })], response: null }, NOON)
    expect([next.balance('ann', 'USDT'), book.balance('ann', 'USDT')]).toEqual([5n, 7n])
    expect([next.row(orders, '1'), next.tip.seq]).toEqual([{ id: '1', name: 'second' }, 2n])
  })

  test('finds committed changes in the cache, without rows that no command reads', () => {
    const rows = [write(orders, { id: '1', name: 'first' }), write(events, { id: 'e' })]
    book.apply({ entries: [pay(3n)], rows, response: null }, NOON)
    const next = new Book(cache, book.tip, book)
    book.commitToCache()
    expect(cache.balances.get('USDT', 'ann')).toBe(7n)
    expect([cache.rows.get(orders, '1'), cache.rows.get(events, 'e')]).toEqual([{ id: '1', name: 'first' }, undefined])
    expect(next.balance('ben', 'USDT')).toBe(3n)
  })
})

test('a cache is emptied above its limit and not before', () => {
  cache.rows.set(orders, '1', null)
  cache.trim(6)
  expect([cache.balances.size, cache.rows.size]).toEqual([5, 1])
  cache.rows.set(orders, '2', null)
  cache.trim(6)
  expect([cache.balances.size, cache.rows.size]).toEqual([0, 0])
})
