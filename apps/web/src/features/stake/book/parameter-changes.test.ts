import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { expect, test } from 'vitest'
import type { Parameters } from './book.queries.ts'
import { changesBetween } from './parameter-changes.ts'

const NOW: Parameters = {
  announced_at: '2030-01-01T00:00:00.000Z',
  effective_at: '2030-01-01T00:00:00.000Z',
  pools: [
    {
      asset: 'USDT',
      curve: { base: '0', kink: '0.8', slope_to_kink: '0.045', slope_above_kink: '0.75', hourly_step: '0.1' },
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
  liquidation_part: '0.5',
  small_order_loans: 4,
  max_open_orders: 200,
  order_cap: '0.2',
  account_cap: '0.4',
  unknown_price: '0.8',
  remind_hours: [72, 24, 1],
}
const NEXT: Parameters = {
  ...NOW,
  effective_at: '2030-01-02T00:00:00.000Z',
  ltv_liquidation: '0.6',
  pools: NOW.pools.map((pool) => ({ ...pool, curve: { ...pool.curve, slope_to_kink: '0.06' } })),
}
test('names only the parameters that change', () => {
  showLocale('en')
  expect(changesBetween(NOW, NOW)).toEqual([])
  expect(changesBetween(NOW, NEXT)).toEqual([
    { label: 'Liquidation at LTV', before: '83%', after: '60%' },
    { label: 'USDT loan rate at the kink', before: '4.5%', after: '6%' },
    { label: 'USDT loan rate, all lent', before: '79.5%', after: '81%' },
  ])
})
