import { expect, test } from 'vitest'
import { BNB_POOL, RT_POOL } from './swap.samples.ts'
import { tokensOf, tradeWith } from './swap-tokens.ts'

const PAIRS = [BNB_POOL, RT_POOL]
const selling = { pair: BNB_POOL, inverse: false }

test('lists the most valuable holding first, then the tokens without a balance', () => {
  const balances = [
    { asset: 'BNB', available: '1' },
    { asset: 'USDT', available: '619.99' },
  ]
  const tokens = tokensOf(PAIRS, { balances, names: new Map([['BNB', 'BNB Coin']]) })
  expect(tokens.map(({ asset, name, worth, isHeld }) => [asset, name, worth, isHeld])).toEqual([
    ['BNB', 'BNB Coin', '620', true],
    ['USDT', 'USDT', '619.99', true],
    ['RT', 'RT', '0', false],
  ])
})

test('keeps the order of the pools for a visitor', () => {
  expect(tokensOf(PAIRS, { names: new Map() }).map(({ asset }) => asset)).toEqual(['BNB', 'USDT', 'RT'])
})

test.each([
  ['sell', 'USDT', { pair: BNB_POOL, inverse: true }],
  ['buy', 'BNB', { pair: BNB_POOL, inverse: true }],
  ['sell', 'RT', { pair: RT_POOL, inverse: false }],
  ['buy', 'RT', { pair: RT_POOL, inverse: true }],
  ['sell', 'BNB', { pair: BNB_POOL, inverse: false }],
  ['sell', 'ETH', undefined],
] as const)('choosing to %s %s finds its pool and side', (side, asset, trade) => {
  expect(tradeWith(PAIRS, selling, { side, asset })).toEqual(trade)
})
