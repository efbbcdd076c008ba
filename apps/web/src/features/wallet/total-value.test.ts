import { parseEther } from 'viem'
import { expect, test } from 'vitest'
import { totalOf } from './total-value.tsx'

const none = { available: '0', locked: '0', pledged: '0', collateral: '0', owed: '0', owed_usdt: '0' }

test('takes debts off, also beyond what is held', () => {
  const usdt = { ...none, asset: 'USDT', total: '100', value_usdt: '100' } as const
  expect(totalOf([{ ...usdt, owed: '40', owed_usdt: '40.1' }]).units).toBe(parseEther('59.9'))
  expect(totalOf([{ ...usdt, owed: '160', owed_usdt: '160' }]).units).toBe(parseEther('-60'))
  expect(totalOf([{ ...usdt, asset: 'BNB', owed: '1', owed_usdt: null }])).toEqual({ units: 0n, unpriced: ['BNB'] })
})

test('adds values exactly and names assets without a price', () => {
  const total = totalOf([
    { ...none, asset: 'BNB', total: '1', value_usdt: '0.1' },
    { ...none, asset: 'USDT', total: '2', value_usdt: '0.2' },
    { ...none, asset: 'RT', total: '5', value_usdt: null },
    { ...none, asset: 'ETH', total: '0', value_usdt: null },
  ])
  expect(total).toEqual({ units: parseEther('0.3'), unpriced: ['RT'] })
})
