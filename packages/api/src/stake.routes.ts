import * as z from 'zod/mini'
import {
  amountText,
  asset,
  decimalText,
  id,
  listOf,
  nothing,
  optional,
  page,
  timeInput,
  timeText,
  wholeNumber,
} from './fields.ts'
import type { Route } from './route.ts'

/** An amount, or `all` of it. */
const amountOrAll = z.union([z.literal('all'), amountText])

/** -1 liquidated, 0 to be cleared, 1 completed, 2 normal. */
const loanStatus = z.literal([-1, 0, 1, 2])

const loanOrder = z.object({
  order_id: z.string(),
  status: loanStatus,
  borrow_asset: asset,
  /** The principal that is not repaid. */
  borrowed_amount: decimalText,
  collateral_asset: asset,
  collateral_amount: decimalText,
  /** Rounded up. */
  interest_due: decimalText,
  /** Repays the order now. */
  total_debt: decimalText,
  /**
   * A fraction: 0.65 is 65 %, rounded up, at the worse price of two sources. null while money has no price, and for an order that has
   * ended.
   */
  ltv: z.nullable(decimalText),
  /** Per year, nominal, compounded continuously: a fraction. It floats: this is the pool's rate now. */
  rate: decimalText,
  /** The rate at the opening. */
  opened_rate: decimalText,
  /** Price of the collateral in the borrowed asset at which the order is to be cleared. null for an order that has ended. */
  liquidation_price: z.nullable(decimalText),
  /**
   * When the growing debt reaches the limit at the present price and rate, or the repayment time if that is earlier. Reckoned at the
   * better price of two sources, as an order is to be cleared. null while money has no price, and for an order that has ended.
   */
  estimated_liquidation_time: z.nullable(timeText),
  repayment_time: timeText,
  created_at: timeText,
  /** When the order was repaid or liquidated. Absent while it is open. */
  ended_at: optional(timeText),
  /** The sum of the owner's repayments so far, and the part of it that was interest. Absent if they were not counted from its opening. */
  repaid: optional(decimalText),
  interest_paid: optional(decimalText),
})

const position = z.object({
  asset,
  /** The amount that leaving would pay now, with the income and without my part of a known loss. */
  total_pledged: decimalText,
  /** Income since the first pledge, to the unit. Below zero only after a loss, never because of rounding. */
  actual_income: decimalText,
})

const curve = z.object({
  base: decimalText,
  kink: decimalText,
  slope_to_kink: decimalText,
  slope_above_kink: decimalText,
  /** How much of its range the part above the kink moves in an hour at most: 0.1. */
  hourly_step: decimalText,
})

const parameters = z.object({
  announced_at: timeText,
  effective_at: timeText,
  pools: z.array(
    z.object({ asset, curve, reserve_factor: decimalText, min_pledge: decimalText, min_loan: decimalText }),
  ),
  collateral: z.array(asset),
  terms_days: z.array(z.int()),
  ltv_initial: decimalText,
  ltv_warning: decimalText,
  ltv_last_warning: decimalText,
  ltv_liquidation: decimalText,
  /** Collateral that a liquidator receives for each unit of debt, by value: 1.08. */
  liquidation_factor: decimalText,
  /** The same for an order that is only overdue. */
  overdue_factor: decimalText,
  /** The least of these: collateral that is worth less pays only a part of the debt. */
  floor_factor: decimalText,
  /** From this ratio on, one liquidation may end the whole debt. */
  ltv_whole: decimalText,
  /** The most of a debt that one liquidation may end below that ratio: 0.5. */
  liquidation_part: decimalText,
  /** One liquidation may end the whole debt while it is under this many least loans. */
  small_order_loans: z.int(),
  /** The most open orders of an account. */
  max_open_orders: z.int(),
  /** The most of its pool's value that an order takes at its opening, and that all orders of an account take. */
  order_cap: decimalText,
  account_cap: decimalText,
  /** How much of its last price a collateral counts at while money has no price of it. */
  unknown_price: decimalText,
  /** Hours before the repayment time at which the borrower is reminded. */
  remind_hours: z.array(z.int()),
})

const stressedPool = z.object({
  /** The borrowed asset of these loans, in which all amounts are. */
  asset,
  /** Loans that could be liquidated. */
  loans: z.int(),
  debt: decimalText,
  /** The part of the debt that the collateral does not cover. */
  shortfall: decimalText,
  /** Held by the insurance fund now. */
  insurance: decimalText,
  paid_by_insurance: decimalText,
  lost_by_pledgers: decimalText,
  /** The loss as a fraction of all pledges, rounded up. */
  pledgers_loss: decimalText,
})

const orderResponse = {
  session: 'required',
  idempotent: true,
  response: loanOrder,
} as const

export const stakeRoutes = {
  stakeMarket: {
    method: 'POST',
    path: '/Stake/market',
    session: 'none',
    idempotent: false,
    isPolled: true,
    summary: 'The lending pools: what is supplied and borrowed, the rates now, and the curve they follow.',
    payload: nothing,
    response: z.array(
      z.object({
        asset,
        /** The value of all pledges. */
        supplied: decimalText,
        borrowed: decimalText,
        cash: decimalText,
        /** A fraction, rounded up. */
        utilisation: decimalText,
        /** The yearly income of pledgers at the loans of this moment, by the rate up to the kink: a fraction, rounded down. Not a promise. */
        pledge_rate: decimalText,
        /** The rate that all loans of this pool pay now, per year: a fraction. It floats. */
        loan_rate: decimalText,
        /** Where the rate moves: its part above the kink by at most `hourly_step` of its range an hour. */
        loan_rate_target: decimalText,
        /** In USDT, half-way between two sources; null while money has none. */
        price: z.nullable(decimalText),
        /** How far money can use the price. Nothing is borrowed unless it is fresh, nothing is cleared unless it is fresh or apart. */
        price_state: z.enum(['fresh', 'apart', 'one_source', 'stale', 'unknown']),
        ltv_initial: decimalText,
        ltv_warning: decimalText,
        ltv_liquidation: decimalText,
        curve,
        /** The reserve's part of the interest: a fraction. */
        reserve_factor: decimalText,
        min_pledge: decimalText,
        min_loan: decimalText,
        /** The assets that secure a loan of this one. */
        collateral: z.array(asset),
        /** The terms of a loan, in days. */
        terms_days: z.array(z.int()),
        /** Bad debt so far: what the insurance paid, and what pledgers lost beyond it. */
        paid_by_insurance: decimalText,
        lost_by_pledgers: decimalText,
        /** null while there was none. */
        last_loss_at: z.nullable(timeText),
        /** The insurance now: it pays first. */
        insurance: decimalText,
        /** The most that one order can take now: a part of the pool's value, and its cash. */
        order_max: decimalText,
        /** The prices at which a share is bought and paid back: base units for 10^6 shares, a first pledge buys at 1. */
        share_value_in: decimalText,
        share_value_out: z.nullable(decimalText),
        /** The loss of all orders if they were cleared now. null while a price that it needs was never known. */
        known_loss: z.nullable(decimalText),
      }),
    ),
    refusals: [],
  },
  pledgeInfo: {
    method: 'POST',
    path: '/Stake/pledgeInfo',
    session: 'required',
    idempotent: false,
    summary: 'Lists the user’s pledges by asset.',
    payload: nothing,
    response: z.array(
      z.object({
        ...position.shape,
        /** A year at the present rate: an estimate, not a promise. */
        estimated_earnings: decimalText,
        /** The present pledge rate: a fraction. */
        rate: decimalText,
        /** The part that can be withdrawn now. */
        withdrawable: decimalText,
        /** My part of the known loss: leaving now loses it immediately. */
        lost_now: decimalText,
      }),
    ),
    refusals: [],
  },
  pledge: {
    method: 'POST',
    path: '/Stake/pledge',
    session: 'required',
    idempotent: true,
    summary: 'Pledges an amount to a lending pool.',
    payload: z.object({ asset, amount: amountText }),
    response: z.object({ position }),
    refusals: [
      'not_activated',
      'trading_suspended',
      'amount_out_of_range',
      'balance_not_enough',
      'price_out_of_date',
      'not_found',
      'not_ready',
    ],
  },
  unpledge: {
    method: 'POST',
    path: '/Stake/unpledge',
    session: 'required',
    idempotent: true,
    summary: 'Withdraws an amount of the pledge, or `all`.',
    payload: z.object({ asset, amount: amountOrAll }),
    response: z.object({ position }),
    refusals: [
      'balance_not_enough',
      'exceeds_lending_pool',
      'price_out_of_date',
      'not_found',
      'not_ready',
      'trading_suspended',
    ],
  },
  loanQuote: {
    method: 'POST',
    path: '/Stake/loanQuote',
    session: 'required',
    idempotent: false,
    summary: 'The terms of a loan at this moment. Give the collateral, the amount to borrow, or both.',
    payload: z.object({
      collateral_asset: asset,
      borrow_asset: asset,
      collateral_amount: optional(amountText),
      borrow_amount: optional(amountText),
      term_days: wholeNumber(1, 3_650),
    }),
    response: z.object({
      /** The most that this collateral, the pool and the caps of an order and an account allow. null without `collateral_amount`. */
      max_borrow: z.nullable(decimalText),
      /** The least collateral for this amount. null without `borrow_amount`. */
      min_collateral: z.nullable(decimalText),
      /** After this loan, or after the least one. It floats. */
      rate: decimalText,
      /** Where the rate moves, if nothing else changes. */
      rate_target: decimalText,
      /** The cost of this amount over the last 30 days, or since the pool's first reading. null without `borrow_amount`. */
      interest_last_30_days: z.nullable(decimalText),
      /** null unless both amounts are given. */
      ltv: z.nullable(decimalText),
      liquidation_price: z.nullable(decimalText),
      /** At the rate of today. */
      interest_at_term: z.nullable(decimalText),
      repayment_time: timeText,
      price_time: timeText,
    }),
    refusals: ['price_out_of_date', 'not_found'],
  },
  lend: {
    ...orderResponse,
    method: 'POST',
    path: '/Stake/lend',
    summary: 'Borrows against collateral for 7, 30, 90 or 180 days at a floating rate.',
    payload: z.object({
      collateral_asset: asset,
      collateral_amount: amountText,
      borrow_asset: asset,
      borrow_amount: amountText,
      term_days: wholeNumber(1, 3_650),
      /** The highest rate per year that I accept at the opening, a fraction. Absent: any. It floats afterwards. */
      max_rate: optional(amountText),
    }),
    refusals: [
      'not_activated',
      'trading_suspended',
      'price_out_of_date',
      'amount_out_of_range',
      'balance_not_enough',
      'exceeds_lending_pool',
      'price_moved',
      'too_many_open',
      'not_found',
      'not_ready',
    ],
  },
  addCollateral: {
    ...orderResponse,
    method: 'POST',
    path: '/Stake/addCollateral',
    worksFrozen: true,
    summary: 'Adds collateral to an order. Always possible.',
    payload: z.object({ order_id: id, amount: amountText }),
    refusals: ['not_found', 'conflict', 'balance_not_enough', 'not_ready'],
  },
  removeCollateral: {
    ...orderResponse,
    method: 'POST',
    path: '/Stake/removeCollateral',
    summary: 'Takes collateral back, down to the initial limit.',
    payload: z.object({ order_id: id, amount: amountText }),
    refusals: ['not_found', 'conflict', 'trading_suspended', 'price_out_of_date', 'amount_out_of_range', 'not_ready'],
  },
  repay: {
    ...orderResponse,
    method: 'POST',
    path: '/Stake/repay',
    worksFrozen: true,
    summary:
      'Repays an order of mine: `all`, or a part that leaves at least the least loan. Interest first. Always possible.',
    payload: z.object({ order_id: id, amount: amountOrAll }),
    response: z.extend(loanOrder, {
      /** The amount that this repayment took, to the unit. Absent from a response that an earlier version stored for its key. */
      paid: optional(decimalText),
    }),
    refusals: ['not_found', 'conflict', 'balance_not_enough', 'amount_out_of_range', 'not_ready'],
  },
  stakeRates: {
    method: 'POST',
    path: '/Stake/rates',
    session: 'none',
    idempotent: false,
    isPolled: true,
    summary: 'The rates of a lending pool, hourly, oldest first, of the last 31 days.',
    payload: z.object({ asset, from: optional(timeInput) }),
    response: z.array(
      z.object({ time: timeText, loan_rate: decimalText, pledge_rate: decimalText, utilisation: decimalText }),
    ),
    refusals: ['not_found'],
  },
  stakeStress: {
    method: 'POST',
    path: '/Stake/stress',
    session: 'none',
    idempotent: false,
    isPolled: true,
    summary: 'A stress test of all loans: the effect of price moves on loans, insurance and pledgers.',
    payload: nothing,
    response: z.object({
      computed_at: timeText,
      /** null, without scenarios, while a price is out of date. */
      price_time: z.nullable(timeText),
      scenarios: z.array(
        z.object({
          asset,
          /** A fraction: -0.3 is a fall by 30 %. */
          change: decimalText,
          /** In USDT, after the change. */
          price: decimalText,
          /** Loans that could be liquidated, in all pools. */
          loans: z.int(),
          /** `false` if more loans are concerned than the test computes: those most at risk are in it. */
          is_complete: z.boolean(),
          pools: z.array(stressedPool),
        }),
      ),
    }),
    refusals: [],
  },
  stakeParameters: {
    method: 'POST',
    path: '/Stake/parameters',
    session: 'none',
    idempotent: false,
    isPolled: true,
    summary:
      'The parameters of the lending market: those in force, and those announced at least 7 days ahead (30 for limits, bonus and least amounts).',
    payload: nothing,
    response: z.object({ now: parameters, announced: z.array(parameters) }),
    refusals: [],
  },
  stakeOrders: {
    method: 'POST',
    path: '/Stake/orders',
    session: 'required',
    idempotent: false,
    summary: 'Lists the user’s orders, newest first.',
    payload: z.object({
      status: optional(
        z.pipe(z.union([loanStatus, z.pipe(z.enum(['-1', '0', '1', '2']), z.transform(Number))]), loanStatus),
      ),
      ...page,
    }),
    response: listOf(loanOrder),
    refusals: [],
  },
} as const satisfies Record<string, Route>
