import type { Earning, RichOverview, RichProgram, UpgradeRequest } from '../rich.queries.ts'

/** The terms of each star: 100 RT for the first, and double for each further one. */
export const PROGRAM: RichProgram = {
  stars: Array.from({ length: 9 }, (_, index) => ({
    star: index + 1,
    required: String(100 * 2 ** index),
    weight: 2 ** index,
    next_share: String(12.5 * 2 ** index),
  })),
  remaining: '29985000',
  release_rate: '0.0005',
  next_release: '14992.5',
  next_release_at: '2030-01-01T16:00:00.000Z',
  weight: '1200',
  accounts: 340,
  approval_hours: 72,
  notice_days: 7,
}

/** Star 2, with 250 of the 400 RT for star 3. */
export const OVERVIEW: RichOverview = {
  uid: '12345678',
  name: 'Mei',
  star: 2,
  next: 3,
  deposit: '250',
  required: '400',
  missing: '150',
  progress: '0.625',
  wallet_balance: '1000',
  to_be_earned: '25',
  to_be_collected: '37.5',
  collected: '410',
  next_release_at: '2030-01-01T16:00:00.000Z',
  request: null,
  step_down: null,
}

/** Star 1 asks for star 2, and the user can approve. */
export const REQUEST: UpgradeRequest = {
  request_id: 'request-1',
  address: '0xbbbb000000000000000000000000000000000002',
  name: 'Kit',
  uid: '87654321',
  star: 1,
  requested_star: 2,
  status: 'Requested',
  created_at: '2030-01-01T00:00:00.000Z',
  passes_up_at: '2030-01-04T00:00:00.000Z',
  asked: '0xaaaa…0001',
  passed_at: null,
  can_approve: true,
}

/** A candle for each amount, one day after the other. */
export function candlesOf(volumes: readonly string[]): Earning[] {
  return volumes.map((volume, day) => ({
    time: new Date(Date.parse('2029-12-01T16:00:00.000Z') + day * 86_400_000).toISOString(),
    open: '0',
    high: volume,
    low: '0',
    close: volume,
    volume,
  }))
}
