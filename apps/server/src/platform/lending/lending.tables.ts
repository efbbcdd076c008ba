import { column, defineTable } from '@clearwell/ledger/table'

/** One row for each asset that can be pledged, from its first pledge on. The money is in the accounts of the ledger. */
export const lendingPools = defineTable('lending_pools', {
  /** The asset. */
  id: column.text,
  borrowed: column.units,
  rate_sum: column.units,
  accrued: column.units,
  accrued_at: column.time,
  shares: column.units,
  remembered_e18: column.units,
  remembered_at: column.time,
})

/** One row for each user and asset. */
export const pledges = defineTable('pledges', {
  id: column.text,
  user_id: column.text,
  asset: column.text,
  shares: column.units,
  /** Everything that the user ever pledged and withdrew: the difference to the present value is income. */
  pledged: column.units,
  withdrawn: column.units,
  changed_at: column.time,
})

/** A user's shares after each change of a pledge, and their value then. */
export const pledgeChanges = defineTable(
  'pledge_changes',
  {
    id: column.text,
    user_id: column.text,
    asset: column.text,
    shares: column.units,
    value: column.units,
    at: column.time,
  },
  { rowsAreFinal: true },
)

/** Orders of the lending market. */
export const loans = defineTable('loans', {
  id: column.text,
  user_id: column.text,
  status: column.integer as { readonly sql: 'integer'; readonly value?: LoanStatus },
  collateral_asset: column.text,
  collateral: column.units,
  borrow_asset: column.text,
  /** The principal at the opening. */
  borrowed: column.units,
  principal: column.units,
  rate_e18: column.units,
  accrued: column.units,
  accrued_at: column.time,
  term_days: column.integer,
  created_at: column.time,
  repayment_time: column.time,
  status_at: column.time,
  watch_price: column.units,
  watch_until: column.time,
  warned: column.integer,
  reminded: column.integer,
  is_announced: column.boolean,
  recover_price: column.optional(column.units),
  warning_round: column.integer,
  limits_version: column.integer,
})

export type LoanRow = NonNullable<Awaited<ReturnType<typeof loans.load>>[number]>

/** Bad debt so far, one row for each borrowed asset that had any. */
export const lendingLosses = defineTable('lending_losses', {
  /** The asset. */
  id: column.text,
  paid_by_insurance: column.units,
  lost_by_pledgers: column.units,
  last_at: column.time,
})

/** The status of an order, as the specification numbers it (§3). */
export const LOAN_STATUS = { normal: 2, toBeCleared: 0, completed: 1, liquidated: -1 } as const
export type LoanStatus = (typeof LOAN_STATUS)[keyof typeof LOAN_STATUS]

/** An order to be cleared: the only ones that can be liquidated. */
export type ToBeClearedLoan = LoanRow & { readonly status: typeof LOAN_STATUS.toBeCleared }
/** An order that has not ended: the only ones that can change. An order that has ended has no function that takes it. */
export type OpenLoan = LoanRow & { readonly status: typeof LOAN_STATUS.normal | typeof LOAN_STATUS.toBeCleared }

export function isOpenLoan(row: LoanRow): row is OpenLoan {
  return row.status === LOAN_STATUS.normal || row.status === LOAN_STATUS.toBeCleared
}

/** Ends an order that was repaid: 2 → 1 or 0 → 1. */
export function completeLoan(row: OpenLoan, at: Date): LoanRow {
  return { ...row, status: LOAN_STATUS.completed, status_at: at, recover_price: null }
}

/** Ends an order that was liquidated: 0 → −1. */
export function endByLiquidation(row: ToBeClearedLoan, at: Date): LoanRow {
  return { ...row, status: LOAN_STATUS.liquidated, status_at: at, recover_price: null }
}
