import type { ResponseOf } from '@clearwell/api/routes'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { formatAmount, formatList, formatPercent } from '@clearwell/ui/i18n/format.ts'
import { liveFiguresOf } from '../../content/live-figures.ts'
import { m } from '../../generated/messages.ts'

type Parameters = ResponseOf<'stakeParameters'>

/** The parameters of the lending market that are in force. */
export default liveFiguresOf('stakeParameters', {
  ltv_initial: ({ now }) => percent(now.ltv_initial),
  ltv_warning: ({ now }) => percent(now.ltv_warning),
  ltv_last_warning: ({ now }) => percent(now.ltv_last_warning),
  ltv_liquidation: ({ now }) => percent(now.ltv_liquidation),
  ltv_whole: ({ now }) => percent(now.ltv_whole),
  liquidation_part: ({ now }) => percent(now.liquidation_part),
  order_cap: ({ now }) => percent(now.order_cap),
  account_cap: ({ now }) => percent(now.account_cap),
  unknown_price: ({ now }) => percent(now.unknown_price),
  liquidation_factor: ({ now }) => now.liquidation_factor,
  overdue_factor: ({ now }) => now.overdue_factor,
  floor_factor: ({ now }) => now.floor_factor,
  max_open_orders: ({ now }) => formatAmount(String(now.max_open_orders)),
  small_order_loans: ({ now }) => formatAmount(String(now.small_order_loans)),
  remind_hours: ({ now }) => formatList(now.remind_hours.map(String)),
  loan_terms: ({ now }) => m.content_days({ days: now.terms_days.join(' / ') }),
  loan_collateral: ({ now }) => now.collateral.join(' / '),
  rate_step: ({ now }) => [...new Set(now.pools.map(({ curve }) => percent(curve.hourly_step)))].join(' / '),
  reserve_USDT: (parameters) => reserveOf('USDT', parameters),
  reserve_BNB: (parameters) => reserveOf('BNB', parameters),
  rates_USDT: (parameters) => ratesOf('USDT', parameters),
  rates_BNB: (parameters) => ratesOf('BNB', parameters),
})

function reserveOf(asset: string, { now: { pools } }: Parameters): string {
  const pool = pools.find((each) => each.asset === asset)
  return pool ? percent(pool.reserve_factor) : m.content_live_none()
}

function ratesOf(asset: string, { now: { pools } }: Parameters): string {
  const pool = pools.find((each) => each.asset === asset)
  if (!pool) return m.content_live_none()
  const { base, kink, slope_to_kink: slope, slope_above_kink: steep } = pool.curve
  const atKink = sum(base, slope)
  return m.content_rates({ atKink: percent(atKink), kink: percent(kink), atFull: percent(sum(atKink, steep)) })
}

function percent(fraction: string): string {
  return formatPercent(fraction, { decimals: 4 })
}

function sum(a: string, b: string): string {
  return formatUnits((parseUnits(a, 18) ?? 0n) + (parseUnits(b, 18) ?? 0n), 18)
}
