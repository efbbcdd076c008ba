import { expect, test } from 'vitest'
import { nearestLimit } from './nearest-limit.ts'

const NOW = Date.parse('2030-01-01T00:00:00.000Z')
const LOAN = {
  status: 2,
  ltv: '0.664',
  liquidation_price: '470',
  estimated_liquidation_time: '2030-01-30T00:00:00.000Z',
  repayment_time: '2030-01-30T00:00:00.000Z',
} as const

test.each([
  ['the price, with a fifth of it left', {}, { by: 'price', price: '470', distance: '0.2' }],
  ['a limit that is reached', { status: 0 }, { by: 'reached' }],
  [
    'a repayment time within three days',
    { estimated_liquidation_time: null, repayment_time: '2030-01-03T00:00:00.000Z' },
    { by: 'time', time: '2030-01-03T00:00:00.000Z' },
  ],
  [
    'an earlier time when interest reaches the limit',
    { estimated_liquidation_time: '2030-01-02T00:00:00.000Z' },
    { by: 'time', time: '2030-01-02T00:00:00.000Z' },
  ],
  [
    'no price while it is out of date',
    { ltv: null, estimated_liquidation_time: null },
    { by: 'unknown', time: '2030-01-30T00:00:00.000Z' },
  ],
  ['no distance at the limit', { ltv: '0.9' }, { by: 'price', price: '470', distance: '0' }],
] as const)('names %s', (_, change, limit) => {
  expect(nearestLimit({ ...LOAN, ...change }, '0.83', NOW)).toEqual(limit)
})
