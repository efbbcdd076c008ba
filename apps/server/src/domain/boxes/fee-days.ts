import { type RowWrite, type State, write } from '@clearwell/ledger/command'
import { column, daysAfter, defineWriterTable } from '@clearwell/ledger/table'
import type { Amount } from '@clearwell/money/amount'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import { type HongKongDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'

/**
 * The swap fees of each account and Hong Kong day. A swap adds to its row in the writer; a click reads the rows of the days
 * before it. So every fee before a click counts, without a job that could lag.
 */
export const feeDays = defineWriterTable(
  'fee_days',
  daysAfter('the day: at most 90 days of fees make the power of a box', {
    days: 100,
    condition: `day < to_char(($1::timestamptz at time zone 'UTC') + interval '8 hours', 'YYYY-MM-DD')`,
  }),
  {
    /** See {@link feeDayId}. */
    id: column.text,
    day: column.day,
    /** The revenue part of the fees, in base units of USDT. */
    revenue: column.units,
    bnb: column.units,
    eth: column.units,
    rt: column.units,
    usdt: column.units,
  },
)

/** A column for each asset: one row for an account and a day, however many assets it sold. */
export const ASSET_COLUMNS = { BNB: 'bnb', ETH: 'eth', RT: 'rt', USDT: 'usdt' } as const satisfies Record<
  AssetId,
  string
>

export type AssetColumns = { readonly [Column in (typeof ASSET_COLUMNS)[AssetId]]: bigint }

export const NO_UNITS: AssetColumns = { bnb: 0n, eth: 0n, rt: 0n, usdt: 0n }

export function feeDayId(userId: string, day: HongKongDay): string {
  return `${userId}:${day}`
}

/** Adds the fee of a swap to the account's day. */
export function addFee(
  state: State,
  fee: {
    readonly userId: string
    readonly at: Date
    /** The revenue part in base units of USDT. */
    readonly revenue: bigint
    /** The part that it brought into `rewards`. */
    readonly rewards: Amount
  },
): RowWrite {
  const day = hongKongDayOf(fee.at)
  const id = feeDayId(fee.userId, day)
  const row = state.row(feeDays, id) ?? { id, day, revenue: 0n, ...NO_UNITS }
  const name = ASSET_COLUMNS[fee.rewards.asset]
  return write(feeDays, { ...row, revenue: row.revenue + fee.revenue, [name]: row[name] + fee.rewards.units })
}

/** Adds up rows, such as the days of an account. */
export function sumFees(rows: readonly (AssetColumns & { readonly revenue: bigint })[]) {
  return rows.reduce((sum, row) => ({ revenue: sum.revenue + row.revenue, ...addUnits(sum, row) }), {
    revenue: 0n,
    ...NO_UNITS,
  })
}

export function addUnits(one: AssetColumns, other: AssetColumns): AssetColumns {
  return { bnb: one.bnb + other.bnb, eth: one.eth + other.eth, rt: one.rt + other.rt, usdt: one.usdt + other.usdt }
}

/** The columns as amounts, in alphabetical order of the assets. */
export function amountsOf(row: AssetColumns): Amount[] {
  return ASSET_IDS.toSorted().map((asset) => ({ asset, units: row[ASSET_COLUMNS[asset]] }))
}
