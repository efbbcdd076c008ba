import * as z from 'zod/mini'
import { amountText, asset, decimalText, id, listOf, optional, page, timeText } from './fields.ts'
import type { Route } from './route.ts'

export const liquidationRoutes = {
  liquidations: {
    method: 'POST',
    path: '/Stake/liquidations',
    session: 'none',
    idempotent: false,
    summary: 'Orders to be cleared, newest first, or the first 1,000 by profit or by debt.',
    payload: z.object({ ...page, sort: optional(z.enum(['newest', 'profit', 'debt'])) }),
    response: listOf(
      z.object({
        order_id: z.string(),
        /** The borrower. */
        user_address: z.string(),
        collateral_asset: asset,
        collateral_amount: decimalText,
        lending_asset: asset,
        lending_amount: decimalText,
        interest: decimalText,
        /** The most that a liquidator pays. */
        total_debt: decimalText,
        /** Net, in the lending asset, at this price. null while a price is out of date: the order cannot be liquidated then. */
        estimated_profit: z.nullable(decimalText),
        /** Of the collateral, in the lending asset. */
        price: z.nullable(decimalText),
        price_time: z.nullable(timeText),
        /** The server's time: the age of the price is the difference. */
        time: timeText,
        /** The liquidator's payment and collateral at this price. `pays` is below the debt if the collateral is worth too little. */
        pays: z.nullable(decimalText),
        receives: z.nullable(decimalText),
        /** Value of collateral for each unit of debt: 1.08, or 1.05 for an order that is only overdue. */
        factor: z.nullable(decimalText),
        /** A fraction, rounded up. */
        ltv: z.nullable(decimalText),
        repayment_time: timeText,
      }),
    ),
    refusals: [],
  },
  liquidate: {
    method: 'POST',
    path: '/Stake/liquidate',
    session: 'required',
    idempotent: true,
    summary: 'Pays the debt of an order to be cleared and receives collateral. The first to arrive wins.',
    payload: z.object({ order_id: id, max_debt: amountText }),
    response: z.object({ paid: decimalText, received: decimalText, profit: decimalText }),
    refusals: [
      'not_activated',
      'trading_suspended',
      'price_out_of_date',
      'not_found',
      'conflict',
      'price_moved',
      'balance_not_enough',
    ],
  },
  liquidationReceipt: {
    method: 'POST',
    path: '/Stake/receipt',
    session: 'required',
    idempotent: false,
    summary: 'The inputs and the results of a liquidation, for the borrower and the liquidator.',
    payload: z.object({ order_id: id }),
    response: z.object({
      order_id: z.string(),
      /** Which side I was on. */
      side: z.enum(['borrower', 'liquidator']),
      collateral_asset: asset,
      lending_asset: asset,
      /** Everything that decides the liquidation. `replayReceipt` in packages/rules computes `steps` from it. */
      inputs: z.object({
        collateral_amount: decimalText,
        principal: decimalText,
        /** Per year, a fraction. */
        rate: decimalText,
        /** Unpaid interest until `accrued_at`, exact: base units × 10^18 × seconds of a year. */
        accrued: z.string(),
        accrued_at: timeText,
        repayment_time: timeText,
        /** In USDT. */
        collateral_price: decimalText,
        lending_price: decimalText,
        price_time: timeText,
        ltv_liquidation: decimalText,
        /** The two factors: at or over `ltv_liquidation`, and for an order that is only overdue. */
        factor_liquidation: decimalText,
        factor_overdue: decimalText,
        /** Lending asset that the insurance had. */
        insurance: decimalText,
      }),
      /** The formula, in its order. */
      steps: z.object({
        interest: decimalText,
        total_debt: decimalText,
        ltv: z.nullable(decimalText),
        is_over_limit: z.boolean(),
        is_overdue: z.boolean(),
        factor: decimalText,
        /** Collateral worth the debt times the factor. The order may have had less. */
        owed_collateral: decimalText,
        paid: decimalText,
        received: decimalText,
        returned: decimalText,
        shortfall: decimalText,
        paid_by_insurance: decimalText,
        lost_by_pledgers: decimalText,
        /** The liquidator's, at these prices, in the lending asset. */
        profit: decimalText,
      }),
      /** The same as in `steps`. */
      factor: decimalText,
      paid: decimalText,
      received: decimalText,
      returned: decimalText,
      paid_by_insurance: decimalText,
      lost_by_pledgers: decimalText,
      liquidator_address: z.string(),
      borrower_address: z.string(),
      created_at: timeText,
    }),
    refusals: ['not_found'],
  },
} as const satisfies Record<string, Route>
