import { column, defineTable, defineWriterTable, forever, type RowOf, type Table } from '@clearwell/ledger/table'
import type { DrawRule } from '@clearwell/rules/box-draw'
import type { VoidReason } from '@clearwell/rules/box-ladder'

/** The writer has the first five, and the records of days. The job that closes days has the others. */

export const boxes = defineWriterTable(
  'boxes',
  forever("the users' receipts of their clicks, and what the file of each day states"),
  {
    id: column.text,
    user_id: column.user('implied'),
    day: column.day,
    level: column.oneOf([0, 1, 2, 3, 4, 5]),
    streak: column.integer,
    /** The owner's fees of the days before, in base units of USDT. */
    fees: column.units,
    created_at: column.time,
  },
  { rowsAreFinal: true, carried: 'always' },
)

/** The latest click of a user: the row's id is the user's. */
export const boxStreaks = defineWriterTable(
  'box_streaks',
  forever('one row for each user'),
  {
    id: column.user('implied'),
    day: column.day,
    streak: column.integer,
    box_id: column.text,
  },
  { carried: 'always' },
)

/** The clicks of a day: the row's id is the day. */
export const boxTallies = defineWriterTable(
  'box_tallies',
  forever('one row a day'),
  {
    id: column.text,
    boxes: column.integer,
    /** Before the draws, in base units of USDT. */
    power: column.units,
    /** The part of `rewards` that the fees of the day's box owners brought in. */
    bnb: column.units,
    eth: column.units,
    rt: column.units,
    usdt: column.units,
  },
  { carried: 'always' },
)

/** A day that takes no more clicks. */
export const boxClosures = defineWriterTable(
  'box_closures',
  forever('a few bytes a day: a closed day must take no click again'),
  { id: column.text, closed_at: column.time },
  { rowsAreFinal: true, carried: 'always' },
)

/** The end of a reward. The row's id is the box's, so a box has one end. */
export const boxSettlements = defineWriterTable(
  'box_settlements',
  forever('a reward must never be paid twice'),
  { id: column.text, outcome: column.oneOf(['claimed', 'expired']), settled_at: column.time },
  { rowsAreFinal: true },
)

/** The steps of a day, in their order. A flat day has no block and no seed. */
export type DayPhase = 'open' | 'closed' | 'rooted' | 'mined' | 'seeded' | 'drawn' | 'shared' | 'divided'

export const boxDays = defineTable(
  'box_days',
  forever('the published facts of each day, which anyone may check later'),
  {
    day: column.day,
    phase: column.textOf<DayPhase>(),
    commitment: column.optional(column.text),
    committed_at: column.optional(column.time),
    rule: column.optional(column.textOf<DrawRule>()),
    ledger_seq: column.optional(column.bigint),
    entry_hash: column.optional(column.text),
    peaks: column.list(column.text),
    box_count: column.integer,
    cursor_id: column.text,
    tree: column.optional(column.text),
    boxes_root: column.optional(column.text),
    root_at: column.optional(column.time),
    block_number: column.optional(column.bigint),
    block_hash: column.optional(column.text),
    block_time: column.optional(column.time),
    previous_block_time: column.optional(column.time),
    seed: column.optional(column.text),
    seed_at: column.optional(column.time),
    total_power: column.units,
    divided_at: column.optional(column.time),
    /** Boxes in each run of the tree but the last. */
    run_length: column.integer,
    /** The numbers of the day, as its root fixes them. Null for a day from before they were stored, until it closes. */
    rules: column.optional(column.text),
    void_reason: column.optional(column.textOf<VoidReason>()),
    /** The time that the day's block must reach. */
    block_not_before: column.optional(column.time),
    /** When its rewards expire. */
    claim_until: column.optional(column.time),
  },
)
export type DayRow = RowOf<typeof boxDays>

/**
 * The facts of each day as of its last step. The rows of days are outside the ledger's writer, so a bookkeeper gets them by this table, which
 * is carried (decision 0073). The boxes are carried when they are clicked, so the draws and rewards follow from these facts.
 */
export const boxDayRecords = defineWriterTable(
  'box_day_records',
  forever('a restored ledger continues each day with the same root, block and seed'),
  {
    /** The day. */
    id: column.text,
    /** JSON, see `recordText`. */
    body: column.text,
    at: column.time,
  },
  { carried: 'always' },
)

export const boxSubtrees = defineTable('box_subtrees', forever('the tree of each day, which proves its boxes'), {
  day: column.day,
  place: column.integer,
  hash: column.text,
  last_id: column.text,
})

export const boxPools = defineTable('box_pools', forever('the pools of each day, which anyone may check later'), {
  day: column.day,
  asset: column.asset,
  rewards: column.units,
  pool: column.units,
  shared: column.units,
  contributed: column.units,
})
export type PoolRow = RowOf<typeof boxPools>

export const boxDraws = defineTable('box_draws', forever('the draws of each day, which anyone may check later'), {
  box_id: column.text,
  ticket: column.optional(column.integer),
  draw: column.integer,
  /** In base units of USDT, with the draw. */
  power: column.units,
})

export const boxShares = defineTable(
  'box_shares',
  forever("the users' rewards, and what the file of each day states"),
  {
    box_id: column.text,
    asset: column.asset,
    units: column.units,
  },
)
export type ShareRow = RowOf<typeof boxShares>

/** Work on each box of a divided day: announce its reward, remind of it, return it. */
export type RoundKind = 'announce' | 'remind' | 'expire'

export const boxRounds = defineTable('box_rounds', forever('three rows a day'), {
  day: column.day,
  kind: column.textOf<RoundKind>(),
  due_at: column.time,
  cursor_id: column.text,
  done_at: column.optional(column.time),
})

export const BOX_TABLES: readonly Table<unknown>[] = [
  boxes,
  boxStreaks,
  boxTallies,
  boxClosures,
  boxSettlements,
  boxDays,
  boxDayRecords,
  boxSubtrees,
  boxPools,
  boxDraws,
  boxShares,
  boxRounds,
]
