import { expect, test } from 'vitest'
import { totalOf } from './total-value.tsx'

const none = { available: '0', locked: '0', pledged: '0', collateral: '0' }

test('adds values exactly and names assets without a price', () => {
  const total = totalOf([
    { ...none, asset: 'BNB', total: '1', value_usdt: '0.1' },
    { ...none, asset: 'USDT', total: '2', value_usdt: '0.2' },
    { ...none, asset: 'RT', total: '5', value_usdt: null },
    { ...none, asset: 'ETH', total: '0', value_usdt: null },
  ])
  expect(total).toEqual({ usdt: '0.3', unpriced: ['RT'] })
})
