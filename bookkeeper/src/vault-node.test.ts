import { expect, test } from 'vitest'
import { withoutPulls } from './vault-node.ts'

const event = (kind: 'deposited' | 'withdrawn' | 'transfer', index: number, tx = '0x01', asset = 'USDT') => {
  return { kind, index, tx, asset, account: '0xa1', units: '5' }
}

test('drops the last transfer before each deposit of its transaction', () => {
  const [plain, pull, deposit] = [event('transfer', 0), event('transfer', 1), event('deposited', 2)]
  expect(withoutPulls([plain, pull, deposit])).toEqual([plain, deposit])
  const [secondPull, second] = [event('transfer', 3), event('deposited', 4)]
  expect(withoutPulls([plain, pull, deposit, secondPull, second])).toEqual([plain, deposit, second])
})

test.each([
  ['another transaction', event('transfer', 0, '0x02')],
  ['another asset', event('transfer', 0, '0x01', 'ETH')],
])('keeps a transfer of %s', (_what, transfer) => {
  const deposit = event('deposited', 1)
  expect(withoutPulls([transfer, deposit])).toEqual([transfer, deposit])
})

test('keeps a transfer after a deposit, and those beside a payment', () => {
  const late = [event('deposited', 0), event('transfer', 1)]
  expect(withoutPulls(late)).toEqual(late)
  const paid = [event('transfer', 0), event('withdrawn', 1)]
  expect(withoutPulls(paid)).toEqual(paid)
})
