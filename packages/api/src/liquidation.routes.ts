import * as z from 'zod/mini'
import { amountText, asset, decimalText, id, listOf, page, timeText } from './fields.ts'
import type { Route } from './route.ts'

export const liquidationRoutes = {
  liquidations: {
    method: 'POST',
    path: '/Stake/liquidations',
    session: 'none',
    idempotent: false,
    summary: 'Orders to be cleared, newest first.',
    payload: z.object(page),
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
      inputs: z.object({
        collateral_amount: decimalText,
        principal: decimalText,
        interest: decimalText,
        /** In USDT. */
        collateral_price: decimalText,
        lending_price: decimalText,
        price_time: timeText,
        ltv_liquidation: decimalText,
      }),
      /** Value of collateral for each unit of debt: 1.08 or 1.05. */
      factor: decimalText,
      paid: decimalText,
      received: decimalText,
      returned: decimalText,
      paid_by_insurance: decimalText,
      lost_by_pledgers: decimalText,
      created_at: timeText,
    }),
    refusals: ['not_found'],
  },
} as const satisfies Record<string, Route>
