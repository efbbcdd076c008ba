import { column, defineTable } from '@clearwell/ledger/table'

/** One row for each liquidation of an order or a part of it, with everything that is needed to compute it again. */
export const liquidations = defineTable(
  'liquidations',
  {
    id: column.text,
    order_id: column.text,
    borrower_id: column.text,
    liquidator_id: column.text,
    collateral_asset: column.text,
    borrow_asset: column.text,
    collateral: column.units,
    principal: column.units,
    debt_shares: column.units,
    index_e27: column.units,
    debt_ended: column.units,
    repayment_time: column.time,
    collateral_price: column.units,
    borrow_price: column.units,
    collateral_high: column.units,
    borrow_low: column.units,
    price_time: column.time,
    liquidation_bps: column.integer,
    whole_bps: column.integer,
    bonus_bps: column.integer,
    overdue_bonus_bps: column.integer,
    floor_bps: column.integer,
    min_loan: column.units,
    insurance: column.units,
    is_over_limit: column.boolean,
    is_overdue: column.boolean,
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

export type LiquidationRow = NonNullable<Awaited<ReturnType<typeof liquidations.load>>[number]>
