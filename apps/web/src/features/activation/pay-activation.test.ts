import { expect, test, vi } from 'vitest'
import type { ActivationOrder } from './activation.queries.ts'
import { activationEvent, isCounted } from './pay-activation.ts'

vi.mock('../../api/query-client.ts', () => ({
  refreshPersonalData: async () => {},
  queryClient: {},
  CONFIG_KEY: ['config', {}],
}))

const order = { order_id: '0x01', asset: 'USDT', amount: '10', status: 'created' } as ActivationOrder
const record = { orderId: '0x01', hash: '0xa', creditedBefore: '0' }

test.each([
  ['without a block', record, order, false],
  ['not sent', { ...record, hash: undefined }, { ...order, credited: '4' }, false],
  ['credited and too small', record, { ...order, amount: '6', credited: '4' }, true],
  [
    'the second one, without a block',
    { ...record, creditedBefore: '4' },
    { ...order, amount: '6', credited: '4' },
    false,
  ],
  ['seen and not credited yet', record, { ...order, status: 'seen' as const, credited: '4' }, false],
  ['credited and sufficient', record, { ...order, status: 'credited' as const, credited: '10' }, false],
])('tells whether a payment is counted that is %s', (_name, known, now, counted) => {
  expect(isCounted(known, now)).toBe(counted)
})

test.each([
  ['created', 0, 'order_open'],
  ['seen', 3, 'order_seen'],
  ['seen', 15, 'order_confirmed'],
  ['credited', 15, 'order_confirmed'],
] as const)('reads an order that is %s with %i confirmations', (status, confirmations, event) => {
  expect(activationEvent({ status, confirmations, required: 15 })).toBe(event)
})
