import type { Box, BoxCalendar, BoxRules, BoxStatus, Click, SourceEntry } from './blind-box.queries.ts'

/** Today of the blind boxes, as the server describes it. */

const TODAY = {
  day: '2030-01-10',
  ends_at: '2030-01-10T16:00:00.000Z',
  network_power: '1284.35',
  contributors: 973,
  pool: [
    { asset: 'USDT', rewards: '600.5', contributed: '750', pool: '20.016666666666666666' },
    { asset: 'RT', rewards: '0', contributed: '0', pool: '0' },
  ],
  commitment: 'ab'.repeat(32),
  committed_at: '2030-01-09T08:00:00.000Z',
} satisfies Partial<BoxRules>

export const RULES: BoxRules = {
  ...TODAY,
  allows_draws: true,
  rule: 'table',
  odds: [
    { factor: 1, chance: '0.6' },
    { factor: 2, chance: '0.25' },
    { factor: 3, chance: '0.1' },
    { factor: 5, chance: '0.04' },
    { factor: 10, chance: '0.01' },
  ],
  formula: {
    level_base: '1',
    level_step: '0.02',
    level_max: 5,
    streak_base: '1',
    streak_step: '0.01',
    streak_max: '1.09',
    fee_days: 30,
    pool_parts: 30,
    claimable_days: 30,
    block_minutes: [30, 120, 360, 720, 1_440],
    root_margin_minutes: 10,
    reveal_hours: 24,
  },
  clicks: { opening: 'always', opens_at: null },
  claims: { opening: 'always', opens_at: null },
  sources: [{ asset: 'USDT', kind: 'swap', amount: '4.25', entries: 12 }],
  sources_seq: 5210,
  closing: [],
  last_divided: '2030-01-09',
}

/** Nothing to share in any asset. */
export const EMPTY_RULES: BoxRules = {
  ...RULES,
  pool: RULES.pool.map((each) => ({ ...each, rewards: '0', pool: '0' })),
  sources: [],
}

/** Yesterday's box, whose reward can be claimed. */
export const BOX: Box = {
  box_id: '0000000000000000000000000310fa3b',
  day: '2030-01-09',
  status: 0,
  reason: null,
  level: 1,
  streak: 3,
  fees: '12.5',
  level_factor: '1.02',
  streak_factor: '1.03',
  ticket: 93,
  draw: 3,
  power: '39.3975',
  share: '0.25826575',
  reward: [{ asset: 'USDT', amount: '5.169619463505926387' }],
  created_at: '2030-01-09T04:00:00.000Z',
  divided_at: '2030-01-09T16:01:00.000Z',
  claimed_at: null,
  expires_at: '2030-02-08T16:01:00.000Z',
}

export const SEALED_BOX: Box = {
  ...BOX,
  box_id: '1'.repeat(32),
  day: TODAY.day,
  status: 2,
  ticket: null,
  draw: null,
  power: '13.26',
  share: null,
  reward: [],
  divided_at: null,
  expires_at: null,
}

/** Before the click of today. */
export const STATUS: BoxStatus = {
  ...TODAY,
  clicked: false,
  can_click: true,
  reason: null,
  opens_at: null,
  streak: 4,
  level: 1,
  fees_30_days: '12.5',
  level_factor: '1.02',
  streak_factor: '1.04',
  my_power: '0',
  click_power: '13.26',
  box: null,
  claimable: [],
  claimable_boxes: 0,
  claimable_until: null,
  claims_open_at: null,
}

export const CLICKED_STATUS: BoxStatus = {
  ...STATUS,
  clicked: true,
  can_click: false,
  reason: 'clicked',
  opens_at: TODAY.ends_at,
  streak: 5,
  my_power: '13.26',
  box: SEALED_BOX,
}

/** Five boxes whose rewards can be claimed. */
export const BOXES: Box[] = ['1', '2', '3', '4', '5'].map((digit) => ({ ...BOX, box_id: digit.repeat(32) }))

export const CLICKS: Click[] = ['1', '2', '3'].map((second) => ({
  address: '0x1234…5678',
  day: '2030-01-10',
  level: 1,
  streak: 3,
  power: '13.26',
  created_at: `2030-01-10T04:00:0${second}.000Z`,
}))

export const SOURCE_ENTRIES: SourceEntry[] = [1, 2, 3].map((entry) => ({
  entry,
  kind: 'swap',
  asset: 'USDT',
  amount: '0.25',
  entry_hash: 'ab'.repeat(32),
  created_at: '2030-01-09T04:00:00.000Z',
}))

/** A month without a click. */
export function emptyMonth(month: string): BoxCalendar {
  return { month, today: '', first_day: null, days: [] }
}
