import { expect, test, vi } from 'vitest'
import type { ActivationOrder } from './activation.queries.ts'
import { isCounted } from './pay-activation.ts'

vi.mock('../../api/query-client.ts', () => ({ refreshPersonalData: async () => {}, queryClient: {} }))

const order = { order_id: '0x01', asset: 'USDT', amount: '10', status: 'created' } as ActivationOrder
const record = { orderId: '0x01', hash: '0xa', creditedBefore: '0' }

test.each([
  ['on its way', record, order, false],
  ['not sent', { ...record, hash: undefined }, { ...order, credited: '4' }, false],
  ['in, and not enough', record, { ...order, amount: '6', credited: '4' }, true],
  ['the second one, on its way', { ...record, creditedBefore: '4' }, { ...order, amount: '6', credited: '4' }, false],
  ['seen and not credited yet', record, { ...order, status: 'seen' as const, credited: '4' }, false],
  ['in, and enough', record, { ...order, status: 'credited' as const, credited: '10' }, false],
])('a payment of this device that is %s', (_name, known, now, counted) => {
  expect(isCounted(known, now)).toBe(counted)
})
