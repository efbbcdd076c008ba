import * as z from 'zod/mini'
import { amountText, asset, decimalText, id, listOf, nothing, optional, page, timeText, wholeNumber } from './fields.ts'
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
  /** A fraction: 0.65 is 65 %, rounded up. null while a price is out of date, and for an order that has ended. */
  ltv: z.nullable(decimalText),
  /** Per year, fixed: a fraction. */
  rate: decimalText,
  /** Price of the collateral in the borrowed asset at which the order is to be cleared. null for an order that has ended. */
  liquidation_price: z.nullable(decimalText),
  /**
   * When the growing debt reaches the limit at the present price, or the repayment time if that is earlier. null while a
   * price is out of date, and for an order that has ended.
   */
  estimated_liquidation_time: z.nullable(timeText),
  repayment_time: timeText,
  created_at: timeText,
})

const position = z.object({
  asset,
  /** The value of the pledge now, with its income. */
  total_pledged: decimalText,
  /** Income since the first pledge, to the unit. */
  actual_income: decimalText,
})

const curve = z.object({
  base: decimalText,
  kink: decimalText,
  slope_to_kink: decimalText,
  slope_above_kink: decimalText,
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
  /** Nothing is borrowed or liquidated on an older price. */
  price_max_age_seconds: z.int(),
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
        /** The yearly income of pledgers at the loans of this moment: a fraction, rounded down. Not a promise. */
        pledge_rate: decimalText,
        /** The rate of the next small loan: a fraction. */
        loan_rate: decimalText,
        /** In USDT; null while it is out of date. */
        price: z.nullable(decimalText),
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
      }),
    ),
    refusals: [],
  },
  pledgeInfo: {
    method: 'POST',
    path: '/Stake/pledgeInfo',
    session: 'required',
    idempotent: false,
    summary: 'My pledges by asset.',
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
    refusals: ['not_activated', 'trading_suspended', 'amount_out_of_range', 'balance_not_enough', 'not_found'],
  },
  unpledge: {
    method: 'POST',
    path: '/Stake/unpledge',
    session: 'required',
    idempotent: true,
    summary: 'Withdraws an amount of my pledge, or `all`.',
    payload: z.object({ asset, amount: amountOrAll }),
    response: z.object({ position }),
    refusals: ['balance_not_enough', 'exceeds_lending_pool', 'not_found'],
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
      /** The most that this collateral can borrow, and the pool can give. null without `collateral_amount`. */
      max_borrow: z.nullable(decimalText),
      /** The least collateral for this amount. null without `borrow_amount`. */
      min_collateral: z.nullable(decimalText),
      rate: decimalText,
      /** null unless both amounts are given. */
      ltv: z.nullable(decimalText),
      liquidation_price: z.nullable(decimalText),
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
    summary: 'Borrows against collateral for 7, 30, 90 or 180 days at a fixed rate.',
    payload: z.object({
      collateral_asset: asset,
      collateral_amount: amountText,
      borrow_asset: asset,
      borrow_amount: amountText,
      term_days: wholeNumber(1, 3_650),
      /** The highest rate per year that I accept, a fraction. Absent: any. */
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
      'not_found',
    ],
  },
  addCollateral: {
    ...orderResponse,
    method: 'POST',
    path: '/Stake/addCollateral',
    summary: 'Adds collateral to an order of mine. Always possible.',
    payload: z.object({ order_id: id, amount: amountText }),
    refusals: ['not_found', 'conflict', 'balance_not_enough'],
  },
  removeCollateral: {
    ...orderResponse,
    method: 'POST',
    path: '/Stake/removeCollateral',
    summary: 'Takes collateral back, down to the initial limit.',
    payload: z.object({ order_id: id, amount: amountText }),
    refusals: ['not_found', 'conflict', 'trading_suspended', 'price_out_of_date', 'amount_out_of_range'],
  },
  repay: {
    ...orderResponse,
    method: 'POST',
    path: '/Stake/repay',
    summary: 'Repays an order of mine: an amount, or `all`. Interest first. Always possible.',
    payload: z.object({ order_id: id, amount: amountOrAll }),
    refusals: ['not_found', 'conflict', 'balance_not_enough'],
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
    summary: 'The parameters of the lending market: those in force, and those announced at least 24 hours ahead.',
    payload: nothing,
    response: z.object({ now: parameters, announced: z.array(parameters) }),
    refusals: [],
  },
  stakeOrders: {
    method: 'POST',
    path: '/Stake/orders',
    session: 'required',
    idempotent: false,
    summary: 'My orders, newest first.',
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
