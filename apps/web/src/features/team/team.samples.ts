import type { Earning, Member, TeamOverview } from './team.queries.ts'

/** A user at level 1, with two of the five leads for level 2. */
export const OVERVIEW: TeamOverview = {
  direct: 12,
  direct_activated: 8,
  total: 1204,
  total_activated: 890,
  level: 1,
  next_level_progress: { level: 2, lead_level: 1, leads: 2, leads_needed: 5 },
  invite_code: 'AB12',
  link: 'http://127.0.0.1/?pid=AB12',
  earned: [{ asset: 'USDT', amount: '12.345678901', shares: 31 }],
}

/** A user whom no one has followed yet. */
export const ALONE: TeamOverview = {
  ...OVERVIEW,
  direct: 0,
  direct_activated: 0,
  total: 0,
  total_activated: 0,
  level: 0,
  next_level_progress: { level: 1, lead_level: 0, leads: 0, leads_needed: 5 },
  earned: [],
}

/** A direct lead with a team. */
export const LEAD: Member = {
  member_id: '7',
  address: '0x1234…abcd',
  depth: 1,
  activated: true,
  level: 1,
  joined_at: '2030-01-01T00:00:00.000Z',
  direct: 6,
  direct_activated: 5,
  total: 41,
  total_activated: 20,
}

/** The share of a swap of 100 USDT. */
export const EARNING: Earning = {
  id: '4001',
  asset: 'USDT',
  amount: '0.016',
  transaction_id: 'swap-1',
  pool_id: 'bnb-usdt',
  lead: '0x1234…abcd',
  sold: '100',
  fee: '0.25',
  created_at: '2030-01-01T00:00:00.000Z',
}

export const EARNINGS: Earning[] = ['4003', '4002', '4001'].map((id) => ({ ...EARNING, id }))

export const LEADS: Member[] = ['7', '8'].map((member_id) => ({ ...LEAD, member_id }))
