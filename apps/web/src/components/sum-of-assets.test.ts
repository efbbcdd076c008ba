import { expect, test } from 'vitest'
import { valueUsdt } from './sum-of-assets.tsx'

const PAIRS = [
  { base: 'BNB', quote: 'USDT', price: '620' },
  { base: 'RT', quote: 'USDT', price: '0.05' },
] as const

test.each([
  [
    [
      { asset: 'BNB', amount: '0.001' },
      { asset: 'USDT', amount: '0.7' },
    ],
    '1.32',
  ],
  [[{ asset: 'RT', amount: '0.000000000000000001' }], '0'],
  [
    [
      { asset: 'ETH', amount: '1' },
      { asset: 'USDT', amount: '1' },
    ],
    undefined,
  ],
] as const)('the amounts %j are worth %s', (amounts, value) => {
  expect(valueUsdt(amounts, PAIRS)).toBe(value)
})
