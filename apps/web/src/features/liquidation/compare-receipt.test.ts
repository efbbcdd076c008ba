import { expect, test } from 'vitest'
import { showLocale } from '../../i18n/locale.ts'
import { compareReceipt } from './compare-receipt.ts'
import type { Receipt } from './liquidation.queries.ts'
import { stepsOf } from './receipt-steps.ts'

const RESULTS = {
  factor: '1.08',
  paid: '92.592592592592592593',
  received: '0.5',
  returned: '0',
  paid_by_insurance: '3',
  lost_by_pledgers: '4.407407407407407407',
}

/** 0.5 BNB at 200 USDT for a debt of 100 USDT: short, so the liquidator pays 100 ÷ 1.08. */
const SHORT: Receipt = {
  order_id: 'o1',
  side: 'liquidator',
  borrower_address: '0xb',
  liquidator_address: '0xc',
  collateral_asset: 'BNB',
  lending_asset: 'USDT',
  inputs: {
    collateral_amount: '0.5',
    principal: '100',
    rate: '0',
    accrued: '0',
    accrued_at: '2030-01-01T00:00:00.000Z',
    repayment_time: '2030-01-08T00:00:00.000Z',
    collateral_price: '200',
    lending_price: '1',
    price_time: '2030-01-02T00:00:00.000Z',
    ltv_liquidation: '0.83',
    factor_liquidation: '1.08',
    factor_overdue: '1.05',
    insurance: '3',
  },
  steps: {
    interest: '0',
    total_debt: '100',
    ltv: '1',
    is_over_limit: true,
    is_overdue: false,
    owed_collateral: '0.54',
    shortfall: '7.407407407407407407',
    profit: '7.407407407407407407',
    ...RESULTS,
  },
  ...RESULTS,
  created_at: '2030-01-02T00:00:00.000Z',
}

test('every figure of a receipt is computed again from its inputs', () => {
  showLocale('en')
  const comparison = compareReceipt(SHORT)
  expect(comparison.isAllEqual).toBe(true)
  expect(stepsOf(SHORT, comparison).map(({ id, result }) => `${id} ${result}`)).toEqual([
    'interest 0 USDT',
    'total_debt 100 USDT',
    'ltv 100%',
    'factor × 1.08',
    'owed_collateral 0.54 BNB',
    'paid 92.592592 USDT',
    'received 0.5 BNB',
    'returned 0 BNB',
    'shortfall 7.407407 USDT',
    'paid_by_insurance 3 USDT',
    'lost_by_pledgers 4.407407 USDT',
    'profit 7.407407 USDT',
  ])
})

test('names a figure that differs by one unit', () => {
  const wrong = { ...SHORT, steps: { ...SHORT.steps, paid: '92.592592592592592592' } }
  const comparison = compareReceipt(wrong)
  expect(comparison.isAllEqual).toBe(false)
  const differing = stepsOf(wrong, comparison).filter(({ isEqual }) => !isEqual)
  expect(differing.map(({ id, computed }) => [id, computed])).toEqual([['paid', '92.592592592592592593 USDT']])
})
