import { expect, test } from 'vitest'
import { limitWords } from './plan-words.ts'

test('a limit promises six decimals and sells its exact amount', () => {
  const limit = { amount: '100.000000000000000001', sold: 'USDT', least: '0.166666666666666667', bought: 'BNB' }
  expect(limitWords(limit)).toEqual({ amount: '100.000000000000000001 USDT', least: '0.166666 BNB' })
})
