import type { Child, Earning, RichOverview, RichProgram, UpgradeRequest } from './rich.queries.ts'

/** The terms of each star: 100 RT for the first, and double for each further one. */
export const PROGRAM: RichProgram = {
  stars: Array.from({ length: 9 }, (_, index) => ({
    star: index + 1,
    required: String(100 * 2 ** index),
    weight: 2 ** index,
    next_share: String(2 ** index / 10),
  })),
  remaining: '29985000',
  release_rate: '0.0005',
  max_per_weight: '0.1',
  shared_above_weight: '149925',
  shared_above_deposits: '14992500',
  at_genesis: '30000000',
  next_release: '120',
  next_release_at: '2030-01-01T16:00:00.000Z',
  weight: '1200',
  next_weight: '1200',
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
  spare: '50',
  to_be_earned: '0.2',
  to_be_collected: '37.5',
  collected: '410',
  next_release_at: '2030-01-01T16:00:00.000Z',
  counts_from: null,
  request: null,
  step_down: null,
}

/** Asks for star 2. */
export const REQUEST: UpgradeRequest = {
  request_id: 'request-1',
  star: 2,
  status: 'Requested',
  created_at: '2030-01-01T00:00:00.000Z',
  passes_at: '2030-01-04T00:00:00.000Z',
  passed_at: null,
  passed_by: null,
}

/** Membership level 1 and star 1, and asks for star 2. */
export const CHILD: Child = {
  address: '0xbbbb000000000000000000000000000000000002',
  name: 'Kit',
  uid: '87654321',
  level: 1,
  star: 1,
  request: {
    request_id: 'request-1',
    star: 2,
    status: 'Requested',
    created_at: '2030-01-01T00:00:00.000Z',
    passes_at: '2030-01-04T00:00:00.000Z',
  },
}

/** A candle of the running total for each amount, one day after the other. */
export function candlesOf(volumes: readonly string[]): Earning[] {
  let total = 0
  return volumes.map((volume, day) => {
    const open = String(total)
    total += Number(volume)
    return {
      time: new Date(Date.parse('2029-12-01T16:00:00.000Z') + day * 86_400_000).toISOString(),
      open,
      high: String(total),
      low: open,
      close: String(total),
      volume,
    }
  })
}

/** Two children without a request. */
export const CHILDREN: Child[] = ['a', 'b'].map((digit) => ({
  ...CHILD,
  address: `0x${digit.repeat(40)}`,
  request: null,
}))

/** Two weeks with an amount on each day. */
export const EARNINGS: Earning[] = candlesOf(Array.from({ length: 14 }, () => '2.5'))
