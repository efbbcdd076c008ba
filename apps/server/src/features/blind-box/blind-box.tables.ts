import { column, defineTable } from '@clearwell/ledger/table'

/** The tables of the writer. The job that closes days has the others, see `box-day.store.ts`. */

export const boxes = defineTable(
  'boxes',
  {
    id: column.text,
    user_id: column.text,
    day: column.text,
    level: column.integer,
    streak: column.integer,
    /** The owner's fees of the days before, in base units of USDT. */
    fees: column.units,
    created_at: column.time,
  },
  { rowsAreFinal: true },
)

/** The latest click of a user: the row's id is the user's. */
export const boxStreaks = defineTable('box_streaks', {
  id: column.text,
  day: column.text,
  streak: column.integer,
  box_id: column.text,
})

/** The clicks of a day: the row's id is the day. */
export const boxTallies = defineTable('box_tallies', {
  id: column.text,
  boxes: column.integer,
  /** Before the draws, in base units of USDT. */
  power: column.units,
  /** The part of `rewards` that the fees of the day's box owners brought in. */
  bnb: column.units,
  eth: column.units,
  rt: column.units,
  usdt: column.units,
})

/** A day that takes no more clicks. */
export const boxClosures = defineTable(
  'box_closures',
  { id: column.text, closed_at: column.time },
  { rowsAreFinal: true },
)

/** The end of a reward. The row's id is the box's, so a box has one end. */
export const boxSettlements = defineTable(
  'box_settlements',
  { id: column.text, outcome: column.text, settled_at: column.time },
  { rowsAreFinal: true },
)
