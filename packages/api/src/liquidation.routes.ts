import * as z from 'zod/mini'
import { amountText, asset, decimalText, id, listOf, optional, page, timeText } from './fields.ts'
import type { Route } from './route.ts'

/** One liquidation, of a part of an order or of all of it. */
const receipt = z.object({
  liquidation_id: z.string(),
  order_id: z.string(),
  /** Which side I was on. */
  side: z.enum(['borrower', 'liquidator']),
  collateral_asset: asset,
  lending_asset: asset,
  /** Everything that decides the liquidation. `replayReceipt` in packages/rules computes `steps` from it. */
  inputs: z.object({
    /** Before this liquidation. */
    collateral_amount: decimalText,
    principal: decimalText,
    debt_shares: decimalText,
    /** Of the pool: debt for each debt share, 27 decimals. */
    index: decimalText,
    /** The debt that ended. */
    amount: decimalText,
    repayment_time: timeText,
    /** In USDT, half-way between two sources. */
    collateral_price: decimalText,
    lending_price: decimalText,
    /** The better ones for the borrower, by which the limit is judged. */
    collateral_price_high: decimalText,
    lending_price_low: decimalText,
    price_time: timeText,
    ltv_liquidation: decimalText,
    ltv_whole: decimalText,
    /** The most of a debt that one payment may end below `ltv_whole`, unless the debt is under so many least loans. */
    liquidation_part: decimalText,
    small_order_loans: z.int(),
    /** The factors: at or over `ltv_liquidation`, for an order that is only overdue, and the least. */
    factor_liquidation: decimalText,
    factor_overdue: decimalText,
    factor_floor: decimalText,
    min_loan: decimalText,
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
    /** The most of the debt that one payment could end. */
    max_amount: decimalText,
    factor: decimalText,
    debt_ended: decimalText,
    interest_ended: decimalText,
    principal_ended: decimalText,
    /** Collateral worth the ended debt times the factor, and the same part of the collateral as of the debt. */
    by_factor: decimalText,
    by_share: decimalText,
    paid: decimalText,
    received: decimalText,
    /** To the borrower, when no debt is left; else it stays with the order as `kept`. */
    returned: decimalText,
    kept: decimalText,
    shortfall: decimalText,
    paid_by_insurance: decimalText,
    lost_by_pledgers: decimalText,
    /** The liquidator's, at these prices, in the lending asset. */
    profit: decimalText,
    remaining_debt: decimalText,
    /** null when nothing is left. */
    ltv_after: z.nullable(decimalText),
    status_after: z.literal([-1, 0, 2]),
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
})

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
        total_debt: decimalText,
        /** overdue: the repayment time has passed. ltv: the ratio has reached the limit, also of an order that is overdue too. */
        reason: z.enum(['overdue', 'ltv']),
        /** The debt that one payment may end: all of it, or from `min_amount` to `max_amount` with at least `min_amount` left. */
        min_amount: z.nullable(decimalText),
        max_amount: z.nullable(decimalText),
        /** Net, in the lending asset, at this price. null while money has no price: the order cannot be liquidated then. */
        estimated_profit: z.nullable(decimalText),
        /** Of the collateral, in the lending asset. */
        price: z.nullable(decimalText),
        price_time: z.nullable(timeText),
        /** The server's time: the age of the price is the difference. */
        time: timeText,
        /** Payment and collateral for `max_amount` at this price. `pays` is below it if the collateral is worth too little. */
        pays: z.nullable(decimalText),
        receives: z.nullable(decimalText),
        /** Value of collateral for each unit of debt: 1.08, or 1.05 for an order that is only overdue, while there is as much. */
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
    summary:
      'Pays the debt of an order to be cleared, or a part of it, and receives collateral. The first to arrive wins.',
    payload: z.object({
      order_id: id,
      /** The debt that ends. Absent: the most that is allowed. */
      amount: optional(amountText),
      /** The most that the whole debt may be. Absent: any. */
      max_debt: optional(amountText),
      /** The least collateral that I accept. Absent: any. */
      min_received: optional(amountText),
    }),
    response: z.object({
      liquidation_id: z.string(),
      debt_ended: decimalText,
      /** Less than `debt_ended` where the collateral does not cover it. */
      paid: decimalText,
      received: decimalText,
      profit: decimalText,
      remaining_debt: decimalText,
      /** -1 liquidated, 0 still to be cleared, 2 normal again. */
      status: z.literal([-1, 0, 2]),
    }),
    refusals: [
      'not_activated',
      'trading_suspended',
      'price_out_of_date',
      'not_found',
      'conflict',
      'price_moved',
      'balance_not_enough',
      'amount_out_of_range',
      'not_ready',
    ],
  },
  liquidationReceipt: {
    method: 'POST',
    path: '/Stake/receipt',
    session: 'required',
    idempotent: false,
    summary:
      'The inputs and the results of the liquidations of an order, newest first, for the borrower and the liquidators.',
    payload: z.object({ order_id: id, liquidation_id: optional(id), ...page }),
    response: listOf(receipt),
    refusals: ['not_found'],
  },
} as const satisfies Record<string, Route>
