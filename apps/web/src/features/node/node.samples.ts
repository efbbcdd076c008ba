import type { NodeIncome, NodeOverview } from './node.queries.ts'

/** A user who clicked today and has a reward to claim. */
export const OVERVIEW: NodeOverview = {
  activated: true,
  level: 1,
  level_factor: '1.02',
  streak: 5,
  fees_30_days: '13',
  streak_factor: '1.04',
  my_power: '1.44',
  network_power: '1284.35',
  share: '0.00112118',
  contributors: 973,
  day: '2030-01-10',
  ends_at: '2030-01-10T16:00:00.000Z',
  clicked: true,
  can_click: false,
  opens_at: '2030-01-10T16:00:00.000Z',
  pool: [{ asset: 'USDT', rewards: '600.5', contributed: '750', pool: '20.016666' }],
  claimable: [{ asset: 'USDT', amount: '5.169619463505926387' }],
  claimable_boxes: 1,
  claimable_until: '2030-02-08T16:01:00.000Z',
  income: [{ asset: 'BNB', amount: '0.091' }],
  last_income: [],
  last_day: '2030-01-09',
  boxes: 7,
}

/** A user who is not activated has nothing to claim. */
export const INACTIVE: NodeOverview = {
  ...OVERVIEW,
  activated: false,
  claimable: [],
  claimable_boxes: 0,
  claimable_until: null,
}

/** Two weeks with an income on each day. */
export const INCOME: NodeIncome = {
  items: [],
  next_cursor: null,
  series: Array.from({ length: 14 }, (_, day) => ({
    day: new Date(Date.UTC(2030, 0, 1 + day)).toISOString().slice(0, 10),
    amounts: [{ asset: 'USDT', amount: '5.16' }],
  })),
  totals: [{ asset: 'USDT', amount: '72.24' }],
}
