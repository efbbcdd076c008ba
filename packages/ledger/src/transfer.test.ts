import { expect, test } from 'vitest'
import { transfer } from './transfer.ts'

test('a transfer takes from one account what it gives the other', () => {
  expect(transfer({ from: 'user:ann:available', to: 'rewards', asset: 'USDT', units: 7n })).toEqual([
    { account: 'user:ann:available', asset: 'USDT', units: -7n },
    { account: 'rewards', asset: 'USDT', units: 7n },
  ])
})
