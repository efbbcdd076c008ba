import { expect, test } from 'vitest'
import { NO_HASH } from './books.ts'
import { faultOfBalances, faultOfOrder, faultOfSums, faultOfSwap, hashEntry } from './entry-checks.ts'
import { accountOf, entryOf } from './testing/entry.ts'

const balances = (of: Readonly<Record<string, bigint>>) => (account: string, asset: string) =>
  Object.entries(of).find(([key]) => `${account} ${asset}` === accountOf(key))?.[1] ?? 0n

test('accepts the next entry alone', () => {
  const entry = entryOf('deposit', ['vault USDT -5', 'a:available USDT 5'])
  const before = { seq: 0n, hash: NO_HASH }
  const hash = hashEntry(NO_HASH, entry)
  expect(faultOfOrder(before, entry, hash)).toBeUndefined()
  expect(faultOfOrder({ ...before, seq: 1n }, entry, hash)).toBe('entry 2 is missing')
  expect(faultOfOrder(before, entry, NO_HASH)).toBe('the hash chain breaks at entry 1')
  expect(faultOfOrder({ ...before, hash }, entry, hash)).toBe('the hash chain breaks at entry 1')
})

test.each([
  [['vault USDT -5', 'a:available USDT 5'], undefined],
  [['vault USDT -5', 'a:available USDT 6'], 'does not sum to zero in USDT'],
  [['vault USDT -5', 'a:available BNB 5'], 'does not sum to zero in USDT'],
  [['vault USDT -05', 'a:available USDT 05'], 'has an amount that is no number'],
  [[], 'has no posting'],
])('sums the postings %j', (lines, message) => {
  const fault = faultOfSums(entryOf('deposit', lines))
  message === undefined ? expect(fault).toBeUndefined() : expect(fault).toContain(message)
})

test('lets no account but the vault fall below zero', () => {
  const has = balances({ 'a:available USDT': 5n })
  expect(faultOfBalances(entryOf('activation', ['a:available USDT -5', 'insurance USDT 5']), has)).toBeUndefined()
  expect(faultOfBalances(entryOf('activation', ['a:available USDT -6', 'insurance USDT 6']), has)).toMatch(/below zero/)
  const twice = ['a:available USDT -3', 'a:available USDT -3', 'insurance USDT 6']
  expect(faultOfBalances(entryOf('activation', twice), has)).toMatch(/below zero/)
})

test('lets RT be created once', () => {
  const genesis = entryOf('rt_genesis', ['vault RT -5', 'treasury RT 5'])
  expect(faultOfBalances(genesis, balances({}))).toBeUndefined()
  expect(faultOfBalances(genesis, balances({ 'vault RT': -5n }))).toMatch(/creates or removes RT/)
  expect(faultOfBalances(entryOf('deposit', ['vault RT -5', 'a:available RT 5']), balances({}))).toMatch(/RT/)
  expect(faultOfBalances(entryOf('rt_genesis', ['vault BNB -5', 'treasury BNB 5']), balances({}))).toMatch(/another/)
})

test.each([
  // Hand-made: 1000 × 1000 before, and 1100 × 910 or 1100 × 909 after.
  ['-90', undefined],
  ['-91', 'makes the product of the pool'],
])('a swap that takes %s keeps the product or is found', (bought, message) => {
  const pool = 'pool:BNB-USDT'
  const lines = [
    'a:available USDT -100',
    `${pool} USDT 100`,
    `${pool} BNB ${bought}`,
    `a:available BNB ${bought.slice(1)}`,
  ]
  const fault = faultOfSwap(entryOf('swap', lines), balances({ [`${pool} USDT`]: 1_000n, [`${pool} BNB`]: 1_000n }))
  message === undefined ? expect(fault).toBeUndefined() : expect(fault).toContain(message)
})

test('a swap has the two assets of one pool', () => {
  const lines = ['a:available USDT -1', 'pool:BNB-USDT USDT 1', 'pool:ETH-USDT ETH -1', 'a:available ETH 1']
  expect(faultOfSwap(entryOf('swap', lines), () => 9n)).toMatch(/the two assets of one pool/)
})
