import { expect, test } from 'vitest'
import { lossOfPledging, lossOfWithdrawing } from './known-loss.ts'

test('a pledge loses the difference of the two share values', () => {
  expect(lossOfPledging('1000', { share_value_in: '1', share_value_out: '0.95' })).toEqual({
    amount: '50',
    fraction: '0.05',
  })
})

test.each([['1'], [null]])('no loss is known with a share value out of %s', (out) => {
  expect(lossOfPledging('1000', { share_value_in: '1', share_value_out: out })).toBeUndefined()
})

test('a withdrawal gives up its part of the known loss', () => {
  const pledge = { total_pledged: '950', lost_now: '50' }
  expect(lossOfWithdrawing('475', pledge)).toEqual({ amount: '25', fraction: '0.05' })
  expect(lossOfWithdrawing('951', pledge)).toBeUndefined()
})

test('a unit of rounding is no loss', () => {
  expect(lossOfWithdrawing('950', { total_pledged: '950', lost_now: '0.000000000000000001' })).toBeUndefined()
})
