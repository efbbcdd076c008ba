import { expect, test } from 'vitest'
import { showLocale } from '../../i18n/locale.ts'
import { compareReceipt } from './compare-receipt.ts'
import type { Receipt } from './liquidation.queries.ts'
import { stepsOf } from './receipt-steps.ts'

const RESULTS = {
  factor: '1.08',
  paid: '98.039215686274509804',
  received: '0.5',
  returned: '0',
  paid_by_insurance: '1',
  lost_by_pledgers: '0.960784313725490196',
}

/** 0.5 BNB at 200 USDT for a debt of 100 USDT: short, so the liquidator pays 100 ÷ 1.02. */
const SHORT: Receipt = {
  liquidation_id: 'l1',
  order_id: 'o1',
  side: 'liquidator',
  borrower_address: '0xb',
  liquidator_address: '0xc',
  collateral_asset: 'BNB',
  lending_asset: 'USDT',
  inputs: {
    collateral_amount: '0.5',
    principal: '100',
    debt_shares: '100',
    index: '1',
    amount: '100',
    repayment_time: '2030-01-08T00:00:00.000Z',
    collateral_price: '200',
    lending_price: '1',
    collateral_price_high: '200',
    lending_price_low: '1',
    price_time: '2030-01-02T00:00:00.000Z',
    ltv_liquidation: '0.83',
    ltv_whole: '0.9',
    factor_liquidation: '1.08',
    factor_overdue: '1.05',
    factor_floor: '1.02',
    min_loan: '10',
    insurance: '1',
  },
  steps: {
    interest: '0',
    total_debt: '100',
    ltv: '1',
    is_over_limit: true,
    is_overdue: false,
    max_amount: '100',
    debt_ended: '100',
    interest_ended: '0',
    principal_ended: '100',
    by_factor: '0.54',
    by_share: '0.5',
    kept: '0',
    shortfall: '1.960784313725490196',
    profit: '1.960784313725490196',
    remaining_debt: '0',
    ltv_after: null,
    status_after: -1,
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
    'by_factor 0.54 BNB',
    'paid 98.039215 USDT',
    'received 0.5 BNB',
    'returned 0 BNB',
    'shortfall 1.960784 USDT',
    'paid_by_insurance 1 USDT',
    'lost_by_pledgers 0.960784 USDT',
    'profit 1.960784 USDT',
  ])
})

test('names a figure that differs by one unit', () => {
  const wrong = { ...SHORT, steps: { ...SHORT.steps, paid: '98.039215686274509803' } }
  const comparison = compareReceipt(wrong)
  expect(comparison.isAllEqual).toBe(false)
  const differing = stepsOf(wrong, comparison).filter(({ isEqual }) => !isEqual)
  expect(differing.map(({ id, computed }) => [id, computed])).toEqual([['paid', '98.039215686274509804 USDT']])
})
