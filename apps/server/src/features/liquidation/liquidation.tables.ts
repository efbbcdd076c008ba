import { column, defineTable } from '@clearwell/ledger/table'

/** One row for each liquidated order, with everything that is needed to compute it again. */
export const liquidations = defineTable(
  'liquidations',
  {
    id: column.text,
    borrower_id: column.text,
    liquidator_id: column.text,
    collateral_asset: column.text,
    borrow_asset: column.text,
    collateral: column.units,
    principal: column.units,
    rate_e18: column.units,
    accrued: column.units,
    accrued_at: column.time,
    repayment_time: column.time,
    interest: column.units,
    collateral_price: column.units,
    borrow_price: column.units,
    price_time: column.time,
    liquidation_bps: column.integer,
    bonus_bps: column.integer,
    overdue_bonus_bps: column.integer,
    insurance: column.units,
    factor_bps: column.integer,
    paid: column.units,
    received: column.units,
    returned: column.units,
    paid_by_insurance: column.units,
    lost_by_pledgers: column.units,
    created_at: column.time,
  },
  { rowsAreFinal: true },
)

export type LiquidationRow = Awaited<ReturnType<typeof liquidations.load>>[number]
