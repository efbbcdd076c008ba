import { expect, test } from 'vitest'
import { replayReceipt, type StoredReceipt } from './stored-receipt.ts'
import { E18 } from './testing/loans.ts'

const RECEIPT: StoredReceipt = {
  created_at: '2026-11-22T00:01:40.500Z',
  inputs: {
    collateral_amount: '10',
    principal: '3500',
    debt_shares: '3600',
    index: '1.000000000000000000000000000',
    amount: '1800',
    repayment_time: '2026-11-22T00:03:20.000Z',
    collateral_price: '420',
    lending_price: '1',
    collateral_price_high: '421',
    lending_price_low: '1',
    ltv_liquidation: '0.83',
    ltv_whole: '0.9',
    liquidation_part: '0.5',
    small_order_loans: 4,
    factor_liquidation: '1.08',
    factor_overdue: '1.05',
    factor_floor: '1.02',
    min_loan: '10',
    insurance: '0',
  },
}
const replay = (change: Partial<StoredReceipt['inputs']>, created_at = RECEIPT.created_at) =>
  replayReceipt({ created_at, inputs: { ...RECEIPT.inputs, ...change } })

test.each([
  ['1', 3_600n * E18],
  ['1.5', 5_400n * E18],
  ['1.000000000000000000000000001', 3_600n * E18 + 1n],
  ['12', 43_200n * E18],
])('an index of %s makes 3,600 shares a debt of %s', (index, debt) => {
  expect(replay({ index }).debt).toBe(debt)
})

test.each([
  ['a second before the repayment time', '2026-11-22T00:03:19.999Z', '2026-11-22T00:03:20.000Z', false],
  ['in the second of the repayment time', '2026-11-22T00:03:20.000Z', '2026-11-22T00:03:20.999Z', true],
])('an order is overdue %s: %4$s', (_when, at, repayment_time, isOverdue) => {
  expect(replay({ repayment_time }, at).isOverdue).toBe(isOverdue)
})

test('ratios and factors have four decimals', () => {
  // By hand: 1,800 × 1.0801 ÷ 420 = 4.629, under the half of the collateral.
  expect(replay({ factor_liquidation: '1.0801' })).toMatchObject({ factorBps: 10_801n, received: 4_629n * 10n ** 15n })
  expect(() => replay({ factor_liquidation: '1.08001' })).toThrow('replayReceipt: 1.08001 is no amount')
})

test.each([
  [{ principal: 'x' }, 'x is no amount'],
  [{ insurance: '' }, ' is no amount'],
  [{ index: '' }, ' is no index'],
  [{ index: '01' }, '01 is no index'],
  [{ index: ' 1' }, ' 1 is no index'],
  [{ index: '1 ' }, '1  is no index'],
  [{ index: '1.' }, '1. is no index'],
  [{ index: '1.0000000000000000000000000001' }, '1.0000000000000000000000000001 is no index'],
  [{ repayment_time: 'tomorrow' }, 'tomorrow is no time'],
])('no receipt has %o', (change, message) => {
  expect(() => replay(change)).toThrow(`replayReceipt: ${message}`)
})
