import { expect, test } from 'vitest'
import { targetOf } from './notice-row.tsx'

test.each([
  ['/stake/lend/orders?status=-1', { to: '/{-$locale}/stake/lend/orders', search: { status: -1 } }],
  ['/stake/receipt?order=1234567890', { to: '/{-$locale}/stake/receipt', search: { order: '1234567890' } }],
  ['/markets/BNBUSDT', { to: '/{-$locale}/markets/BNBUSDT' }],
])('a notice with the link %s leads to its screen', (link, target) => {
  expect(targetOf(link)).toEqual(target)
})
