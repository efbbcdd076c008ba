import type { ResponseOf } from '@clearwell/api/routes'
import { expect, test } from 'vitest'
import { rateCurveOf } from '../../content/borrow-rate.ts'
import figures from './stake.figures.ts'

const PARAMETERS: ResponseOf<'stakeParameters'>['now'] = {
  announced_at: '2030-01-01T00:00:00.000Z',
  effective_at: '2030-01-01T00:00:00.000Z',
  pools: [
    {
      asset: 'USDT',
      curve: { base: '0.01', kink: '0.8', slope_to_kink: '0.045', slope_above_kink: '0.75', hourly_step: '0.1' },
      reserve_factor: '0.1',
      min_pledge: '1',
      min_loan: '10',
    },
  ],
  collateral: ['BNB', 'ETH'],
  terms_days: [7, 30],
  ltv_initial: '0.65',
  ltv_warning: '0.75',
  ltv_last_warning: '0.8',
  ltv_liquidation: '0.83',
  liquidation_factor: '1.08',
  overdue_factor: '1.05',
  floor_factor: '1.02',
  ltv_whole: '0.9',
  liquidation_part: '0.5',
  small_order_loans: 4,
  max_open_orders: 200,
  order_cap: '0.2',
  account_cap: '0.4',
  unknown_price: '0.8',
  remind_hours: [72, 24, 1],
}

const textOf = (name: string) => figures[name]?.format({ now: PARAMETERS } as never)

test.each([
  ['ltv_liquidation', '83%'],
  ['liquidation_factor', '1.08'],
  ['loan_collateral', 'BNB / ETH'],
  ['reserve_USDT', '10%'],
  ['floor_factor', '1.02'],
  ['ltv_whole', '90%'],
  ['liquidation_part', '50%'],
  ['small_order_loans', '4'],
  ['rate_step', '10%'],
  ['max_open_orders', '200'],
  ['order_cap', '20%'],
  ['account_cap', '40%'],
  ['unknown_price', '80%'],
  ['remind_hours', '72、24 及 1'],
] as const)('%s is shown as %s', (name, text) => {
  expect(textOf(name)).toBe(text)
})

test('the rates of a pool add up to full utilisation', () => {
  for (const part of ['5.5%', '80%', '80.5%']) expect(textOf('rates_USDT')).toContain(part)
  expect(rateCurveOf('USDT', PARAMETERS)).toEqual({ base: 0.01, kinkAt: 0.8, rateAtKink: 0.055, rateAtFull: 0.805 })
})

test('a pool that does not exist has no curve', () => {
  expect(rateCurveOf('BNB', PARAMETERS)).toBeUndefined()
  expect(textOf('reserve_BNB')).not.toContain('%')
})
