import type { ResponseOf } from '@clearwell/api/routes'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { formatAmount, formatList, formatPercent } from '@clearwell/ui/i18n/format.ts'
import { m } from '../generated/messages.ts'
import type { RateCurve } from './borrow-rate.ts'
import type { LendingName } from './live-names.ts'

/** The parameters of the lending market that are in force. */
export type LendingParameters = ResponseOf<'stakeParameters'>['now']

/** Formats a parameter of the lending market in the current language. */
export function lendingValue(name: LendingName, parameters: LendingParameters): string {
  switch (name) {
    case 'ltv_initial':
    case 'ltv_warning':
    case 'ltv_last_warning':
    case 'ltv_liquidation':
    case 'ltv_whole':
    case 'liquidation_part':
    case 'order_cap':
    case 'account_cap':
    case 'unknown_price':
      return percent(parameters[name])
    case 'liquidation_factor':
    case 'overdue_factor':
    case 'floor_factor':
      return parameters[name]
    case 'max_open_orders':
    case 'small_order_loans':
      return formatAmount(String(parameters[name]))
    case 'remind_hours':
      return formatList(parameters.remind_hours.map(String))
    case 'loan_terms':
      return m.content_days({ days: parameters.terms_days.join(' / ') })
    case 'loan_collateral':
      return parameters.collateral.join(' / ')
    case 'rate_step':
      return [...new Set(parameters.pools.map(({ curve }) => percent(curve.hourly_step)))].join(' / ')
    case 'reserve_USDT':
    case 'reserve_BNB':
    case 'rates_USDT':
    case 'rates_BNB':
      return poolValue(name, parameters)
    default:
      return unknownName(name)
  }
}

/** The rate curve of an asset, for drawing; `undefined` if the asset has no pool. */
export function rateCurveOf(asset: string, { pools }: LendingParameters): RateCurve | undefined {
  const curve = pools.find((each) => each.asset === asset)?.curve
  if (!curve) return undefined
  const { base, kink, slope_to_kink: slope, slope_above_kink: steep } = curve
  const rateAtKink = Number(base) + Number(slope)
  return { base: Number(base), kinkAt: Number(kink), rateAtKink, rateAtFull: rateAtKink + Number(steep) }
}

function poolValue(name: `${'reserve' | 'rates'}_${string}`, { pools }: LendingParameters): string {
  const [what, asset] = name.split('_')
  const pool = pools.find((each) => each.asset === asset)
  if (!pool) return m.content_live_none()
  if (what === 'reserve') return percent(pool.reserve_factor)
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

function unknownName(name: never): never {
  throw new Error(`lendingValue: there is no parameter ${String(name)}`)
}
