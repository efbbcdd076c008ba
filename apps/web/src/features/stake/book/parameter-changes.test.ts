import { expect, test } from 'vitest'
import { showLocale } from '../../../i18n/locale.ts'
import type { Parameters } from './book.queries.ts'
import { effectOn } from './loan-effect.ts'
import { changesBetween } from './parameter-changes.ts'

const NOW: Parameters = {
  announced_at: '2030-01-01T00:00:00.000Z',
  effective_at: '2030-01-01T00:00:00.000Z',
  pools: [
    {
      asset: 'USDT',
      curve: { base: '0', kink: '0.8', slope_to_kink: '0.045', slope_above_kink: '0.75' },
      reserve_factor: '0.1',
      min_pledge: '1',
      min_loan: '10',
    },
  ],
  collateral: ['BNB'],
  terms_days: [7, 30],
  ltv_initial: '0.65',
  ltv_warning: '0.75',
  ltv_last_warning: '0.8',
  ltv_liquidation: '0.83',
  liquidation_factor: '1.08',
  overdue_factor: '1.05',
  floor_factor: '1.02',
  ltv_whole: '0.9',
  max_open_orders: 200,
  order_cap: '0.2',
  account_cap: '0.4',
  unknown_price: '0.8',
  remind_hours: [72, 24, 1],
  price_max_age_seconds: 60,
}
const NEXT: Parameters = {
  ...NOW,
  effective_at: '2030-01-02T00:00:00.000Z',
  ltv_liquidation: '0.6',
  pools: NOW.pools.map((pool) => ({ ...pool, curve: { ...pool.curve, slope_to_kink: '0.06' } })),
}
const LOAN = {
  order_id: 'o1',
  status: 2,
  borrow_asset: 'USDT',
  borrowed_amount: '120',
  collateral_asset: 'BNB',
  collateral_amount: '1',
  interest_due: '0',
  total_debt: '120',
  ltv: '0.5',
  rate: '0.05',
  opened_rate: '0.05',
  liquidation_price: '144',
  estimated_liquidation_time: null,
  repayment_time: '2030-02-01T00:00:00.000Z',
  created_at: '2030-01-01T00:00:00.000Z',
} as const

test('names only the parameters that change', () => {
  showLocale('en')
  expect(changesBetween(NOW, NOW)).toEqual([])
  expect(changesBetween(NOW, NEXT)).toEqual([
    { label: 'Liquidation at LTV', before: '83%', after: '60%' },
    { label: 'USDT loan rate at the bend', before: '4.5%', after: '6%' },
    { label: 'USDT loan rate, all lent', before: '79.5%', after: '81%' },
  ])
})

test.each([
  ['stays normal under its new price', '0.5', { priceAfter: '200', crosses: false }],
  ['crosses the new limit at the present price', '0.61', { priceAfter: '200', crosses: true }],
])('an own loan %s', (_, ltv, effect) => {
  expect(effectOn({ ...LOAN, ltv }, NOW, NEXT)).toMatchObject(effect)
})

test('a loan that has ended is not affected', () => {
  expect(effectOn({ ...LOAN, status: 1 }, NOW, NEXT)).toBeUndefined()
})
