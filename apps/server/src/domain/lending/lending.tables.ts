import {
  column,
  daysAfter,
  defineTable,
  defineWriterTable,
  forever,
  type RowOf,
  type Table,
} from '@clearwell/ledger/table'

/** One row for each asset that can be pledged, from its first pledge on. The money is in the accounts of the ledger. */
export const lendingPools = defineWriterTable(
  'lending_pools',
  forever('one row for each asset that was ever pledged'),
  {
    /** The asset. */
    id: column.text,
    /** The principal of all open orders. */
    borrowed: column.units,
    debt_shares: column.units,
    index_e27: column.units,
    /** The pledgers' part of all debts, at 10^27, see `LoanPool` in packages/rules. */
    below_debt_e27: column.units,
    accrued_at: column.time,
    shares: column.units,
    /** The rate as of `accrued_at`, see `PoolRate` in packages/rules. */
    rate_below_e18: column.units,
    rate_above_e18: column.units,
    rate_target_e18: column.units,
    rate_speed_e18: column.units,
  },
  { carried: 'always' },
)
export type PoolRow = RowOf<typeof lendingPools>

/** The debt of an account to a pool, so that its limits are known without reading its orders. */
export const borrowers = defineWriterTable(
  'borrowers',
  forever('one row for each user and asset'),
  {
    /** `<asset>:<user>`. */
    id: column.text,
    user_id: column.user('implied'),
    asset: column.asset,
    debt_shares: column.units,
    open_orders: column.integer,
  },
  { carried: 'always' },
)

/** The same after each change, for the history. */
export const borrowerChanges = defineWriterTable(
  'borrower_changes',
  forever("the users' debts over time"),
  {
    id: column.text,
    user_id: column.user('implied'),
    asset: column.asset,
    debt_shares: column.units,
    debt: column.units,
    at: column.time,
  },
  { rowsAreFinal: true, carried: 'always' },
)

/** Nodes of the trees by which the known loss of a pool is summed. */
export const loanRatioNodes = defineWriterTable(
  'loan_ratio_nodes',
  forever('the index of the open orders; its rows are used again'),
  { id: column.text, body: column.text },
)

/** One row for each user and asset. */
export const pledges = defineWriterTable(
  'pledges',
  forever('one row for each user and asset'),
  {
    id: column.text,
    user_id: column.user('implied'),
    asset: column.asset,
    shares: column.units,
    /** Everything that the user ever pledged and withdrew: the difference to the present value is income. */
    pledged: column.units,
    withdrawn: column.units,
    changed_at: column.time,
  },
  { carried: 'always' },
)

/** A user's shares after each change of a pledge, and their value then. */
export const pledgeChanges = defineWriterTable(
  'pledge_changes',
  forever("the value of the users' pledges over time"),
  {
    id: column.text,
    user_id: column.user('implied'),
    asset: column.asset,
    shares: column.units,
    value: column.units,
    at: column.time,
  },
  { rowsAreFinal: true, carried: 'always' },
)

/**
 * The value that leaving accounts still get back from a pool: its cash is theirs before it is lent again. It grows with each second, and
 * is counted again every few seconds.
 */
export const pledgeReturns = defineWriterTable(
  'pledge_returns',
  forever('one row for each asset that was waited for'),
  {
    /** The asset. */
    id: column.text,
    waiting: column.units,
    changed_at: column.time,
  },
  { carried: 'with_entries' },
)

/** The status of an order, as the specification numbers it (§3). */
export const LOAN_STATUS = { normal: 2, toBeCleared: 0, completed: 1, liquidated: -1 } as const
export type LoanStatus = (typeof LOAN_STATUS)[keyof typeof LOAN_STATUS]

/** Orders of the lending market. A command without an entry only judges them, and each server judges them again. */
export const loans = defineWriterTable(
  'loans',
  forever("the users' receipts of their loans"),
  {
    id: column.text,
    user_id: column.user('implied'),
    status: column.oneOf(LOAN_STATUS),
    collateral_asset: column.asset,
    collateral: column.units,
    borrow_asset: column.asset,
    /** The principal at the opening. */
    borrowed: column.units,
    principal: column.units,
    debt_shares: column.units,
    /** The sum of the owner's repayments, and the part of it that was interest. Null for an order from before they were counted. */
    repaid: column.optional(column.units),
    interest_paid: column.optional(column.units),
    /** The parameters of the opening: limits, bonus and least amounts count for the order until it ends. */
    terms_version: column.integer,
    term_days: column.integer,
    created_at: column.time,
    repayment_time: column.time,
    status_at: column.time,
    /** Keys of the index scans, see `ratioKey` in packages/rules. */
    clear_ratio: column.units,
    warn_ratio: column.optional(column.units),
    recover_ratio: column.optional(column.units),
    /** When the order must be examined for a reminder or its repayment time. */
    watch_until: column.time,
    /** The pool's rate at the opening, per year at 10^18, and the one at which the user is notified next. */
    opened_rate_e18: column.units,
    notify_rate_e18: column.optional(column.units),
    /** The rate that the user has to be notified of. */
    rate_reached_e18: column.optional(column.units),
    /** A part was liquidated, and the user has to be notified of it. */
    is_part_cleared: column.boolean,
    warned: column.integer,
    reminded: column.integer,
    is_announced: column.boolean,
    warning_round: column.integer,
  },
  { carried: 'with_entries' },
)

export type LoanRow = RowOf<typeof loans>

/** Bad debt so far, one row for each borrowed asset that had any. */
export const lendingLosses = defineWriterTable(
  'lending_losses',
  forever('one row for each asset that ever lost money'),
  {
    /** The asset. */
    id: column.text,
    paid_by_insurance: column.units,
    lost_by_pledgers: column.units,
    last_at: column.time,
  },
  { carried: 'always' },
)

export const lendingRates = defineTable(
  'lending_rates',
  daysAfter('its time: the charts look back no further', { days: 400, condition: 'at < $1' }),
  {
    id: column.text,
    asset: column.asset,
    at: column.time,
    loan_rate_e18: column.units,
    pledge_rate_e18: column.units,
    utilisation_e18: column.units,
    index_e27: column.units,
  },
)

const pledgeValues = defineTable(
  'pledge_values',
  daysAfter('its time: the charts look back no further', { days: 400, condition: 'at < $1' }),
  {
    id: column.text,
    asset: column.asset,
    value: column.units,
    at: column.time,
  },
)

/** An order to be cleared: the only ones that can be liquidated. */
export type ToBeClearedLoan = LoanRow & { readonly status: typeof LOAN_STATUS.toBeCleared }
/** An order that has not ended: the only ones that can change. An order that has ended has no function that takes it. */
export type OpenLoan = LoanRow & { readonly status: typeof LOAN_STATUS.normal | typeof LOAN_STATUS.toBeCleared }

export function isOpenLoan(row: LoanRow): row is OpenLoan {
  return row.status === LOAN_STATUS.normal || row.status === LOAN_STATUS.toBeCleared
}

/** Ends an order that was repaid: 2 → 1 or 0 → 1. */
export function completeLoan(row: OpenLoan, at: Date): LoanRow {
  return { ...row, ...NO_WATCH, status: LOAN_STATUS.completed, status_at: at }
}

/** Ends an order that was liquidated: 0 → −1. */
export function endByLiquidation(row: ToBeClearedLoan, at: Date): LoanRow {
  return { ...row, ...NO_WATCH, status: LOAN_STATUS.liquidated, status_at: at }
}

/** An order that has ended owes nothing and is watched by nothing. */
const NO_WATCH = {
  principal: 0n,
  debt_shares: 0n,
  clear_ratio: 0n,
  warn_ratio: null,
  recover_ratio: null,
  notify_rate_e18: null,
  rate_reached_e18: null,
  is_part_cleared: false,
  warned: 0,
}

export const LENDING_TABLES: readonly Table<unknown>[] = [
  lendingPools,
  borrowers,
  borrowerChanges,
  loanRatioNodes,
  pledges,
  pledgeChanges,
  pledgeReturns,
  loans,
  lendingLosses,
  lendingRates,
  pledgeValues,
]
