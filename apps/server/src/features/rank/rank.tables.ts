import { column, daysAfter, defineTable, forever, until } from '@clearwell/ledger/table'

export const BOARDS = ['power', 'volume', 'leads'] as const
export type Board = (typeof BOARDS)[number]

export const rankScores = defineTable(
  'rank_scores',
  daysAfter('its day or week ended: scores of all time stay', { days: 30, condition: 'ends_at < $1' }),
  {
    board: column.oneOf(BOARDS),
    bucket: column.text,
    user_id: column.user('implied'),
    score: column.units,
    earliness: column.bigint,
    ends_at: column.optional(column.time),
    is_hidden: column.boolean,
  },
)

export const rankTurns = defineTable('rank_turns', forever('one row'), {
  id: column.integer,
  turn: column.bigint,
})

export const hiddenFromRanks = defineTable('hidden_from_ranks', until('its user appears on the boards again'), {
  user_id: column.user('goes'),
  since: column.time,
})
