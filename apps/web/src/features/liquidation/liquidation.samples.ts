import { formatUnits } from '@clearwell/money/decimal'
import { replayReceipt } from '@clearwell/rules/stored-receipt'
import type { LiquidationOrder, Receipt } from './liquidation.queries.ts'

const CREATED = '2030-01-02T00:00:00.000Z'

/** 100 USDT of 200 USDT owed, secured by 1 BNB at 240: over the limit, cleared by half. */
const HALF_INPUTS: Receipt['inputs'] = {
  collateral_amount: '1',
  principal: '199',
  debt_shares: '160',
  index: '1.25',
  amount: '100',
  repayment_time: '2030-01-08T00:00:00.000Z',
  collateral_price: '240',
  lending_price: '1',
  collateral_price_high: '240.5',
  lending_price_low: '1',
  price_time: CREATED,
  ltv_liquidation: '0.83',
  ltv_whole: '0.9',
  liquidation_part: '0.5',
  small_order_loans: 4,
  factor_liquidation: '1.08',
  factor_overdue: '1.05',
  factor_floor: '1.02',
  min_loan: '10',
  insurance: '3',
}

/** A receipt with the results that follow from its inputs, worked out by the rules as the server does. */
export function receiptOf(change: Partial<Receipt['inputs']> = {}, more: Partial<Receipt> = {}): Receipt {
  const inputs = { ...HALF_INPUTS, ...change }
  const done = replayReceipt({ created_at: CREATED, inputs })
  const text = (units: bigint) => formatUnits(units, 18)
  const results = {
    factor: formatUnits(done.factorBps, 4),
    paid: text(done.paid),
    received: text(done.received),
    returned: text(done.returned),
    paid_by_insurance: text(done.paidByInsurance),
    lost_by_pledgers: text(done.lostByPledgers),
  }
  return {
    liquidation_id: 'part-1',
    order_id: 'o1',
    side: 'liquidator',
    borrower_address: '0xb',
    liquidator_address: '0xc',
    collateral_asset: 'BNB',
    lending_asset: 'USDT',
    inputs,
    steps: {
      interest: text(done.interest),
      total_debt: text(done.debt),
      ltv: done.ltvE18 === undefined ? null : text(done.ltvE18),
      is_over_limit: done.isOverLimit,
      is_overdue: done.isOverdue,
      max_amount: text(done.allowed.most),
      debt_ended: text(done.ended),
      interest_ended: text(done.interestEnded),
      principal_ended: text(done.principalEnded),
      by_factor: text(done.byFactor),
      by_share: text(done.byShare),
      kept: text(done.kept),
      shortfall: text(done.shortfall),
      profit: text(done.profit),
      remaining_debt: text(done.after.total),
      ltv_after: done.after.ltvE18 === undefined ? null : text(done.after.ltvE18),
      status_after: { liquidated: -1, to_be_cleared: 0, normal: 2 }[done.after.state] as -1 | 0 | 2,
      ...results,
    },
    ...results,
    created_at: CREATED,
    ...more,
  }
}

export const ORDER: LiquidationOrder = {
  order_id: 'b1a2c3d4e5f60718',
  user_address: '0xbbbb000000000000000000000000000000000002',
  collateral_asset: 'BNB',
  collateral_amount: '1',
  lending_asset: 'USDT',
  lending_amount: '380',
  interest: '0.25',
  total_debt: '380.25',
  estimated_profit: '15.21',
  reason: 'ltv',
  min_amount: '10',
  max_amount: '190.125',
  price: '450',
  price_time: '2030-01-01T00:00:00.000Z',
  pays: '190.125',
  receives: '0.4563',
  factor: '1.08',
  ltv: '0.845',
  repayment_time: '2030-02-01T00:00:00.000Z',
  time: '2030-01-01T00:00:12.000Z',
}

export const ORDERS: readonly LiquidationOrder[] = ['1', '2', '3'].map((digit) => ({
  ...ORDER,
  order_id: digit.repeat(16),
}))
