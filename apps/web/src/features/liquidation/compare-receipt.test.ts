import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { expect, test } from 'vitest'
import { compareReceipt } from './compare-receipt.ts'
import type { Receipt } from './liquidation.queries.ts'
import { receiptOf } from './liquidation.samples.ts'
import { stepsOf } from './receipt-steps.ts'

function resultsOf(receipt: Receipt): string[] {
  showLocale('en')
  return stepsOf(receipt, compareReceipt(receipt)).map(({ id, result }) => `${id} ${result}`)
}

test('every figure of half a liquidation is computed again', () => {
  const receipt = receiptOf()
  expect(compareReceipt(receipt).isAllEqual).toBe(true)
  expect(resultsOf(receipt)).toEqual([
    'total_debt 200 USDT',
    'interest 1 USDT',
    'ltv 83.33%',
    'factor × 1.08',
    'max_amount 100 USDT',
    'debt_ended 100 USDT',
    'by_factor 0.45 BNB',
    'by_share 0.5 BNB',
    'received 0.45 BNB',
    'paid 100 USDT',
    'profit 8 USDT',
    'remaining_debt 100 USDT',
    'kept 0.55 BNB',
    'ltv_after 75.75%',
  ])
})

test('every figure of a short liquidation is computed again', () => {
  // 0.8 BNB at 240 are worth 192 for a debt of 200, below 1.02 × the debt: 192 ÷ 1.02 are paid.
  const receipt = receiptOf({ amount: '200', collateral_amount: '0.8' })
  expect(compareReceipt(receipt).isAllEqual).toBe(true)
  expect(resultsOf(receipt)).toEqual([
    'total_debt 200 USDT',
    'interest 1 USDT',
    'ltv 104.16%',
    'factor × 1.08',
    'max_amount 200 USDT',
    'debt_ended 200 USDT',
    'by_factor 0.9 BNB',
    'by_share 0.8 BNB',
    'received 0.8 BNB',
    'paid 188.235294 USDT',
    'shortfall 11.764705 USDT',
    'paid_by_insurance 3 USDT',
    'lost_by_pledgers 8.764705 USDT',
    'profit 3.764705 USDT',
    'returned 0 BNB',
  ])
})

test('names a figure that differs by one unit', () => {
  const receipt = receiptOf()
  const wrong = { ...receipt, steps: { ...receipt.steps, received: '0.449999999999999999' } }
  const comparison = compareReceipt(wrong)
  expect(comparison.isAllEqual).toBe(false)
  const differing = stepsOf(wrong, comparison).filter(({ isEqual }) => !isEqual)
  expect(differing.map(({ id, computed }) => [id, computed])).toEqual([['received', '0.45 BNB']])
})

test('names a wrong status of the order afterwards', () => {
  const receipt = receiptOf()
  const wrong = { ...receipt, steps: { ...receipt.steps, status_after: 0 as const } }
  const comparison = compareReceipt(wrong)
  expect(comparison.isAllEqual).toBe(false)
  expect(stepsOf(wrong, comparison).find(({ isEqual }) => !isEqual)?.id).toBe('ltv_after')
})
