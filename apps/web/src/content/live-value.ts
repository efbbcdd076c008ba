import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { formatAmount, formatPercent } from '@clearwell/ui/i18n/format.ts'
import { currentLocale } from '@clearwell/ui/i18n/locale.ts'
import type { Config } from '../api/config.ts'
import { m } from '../generated/messages.ts'
import type { ConfigName } from './live-names.ts'

const FRACTION_DECIMALS = 18

/** Formats a figure of the server's configuration in the current language. */
export function liveValue(name: ConfigName, config: Config): string {
  const { fees, plans } = config
  switch (name) {
    case 'product':
      return config.product[currentLocale()]
    case 'chain_name':
      return config.chain.name
    case 'chain_id':
      return String(config.chain.id)
    case 'confirmations':
      return String(config.chain.confirmations)
    case 'vault':
      return config.vault
    case 'swap_fee':
      return percent(fees.swap_total)
    case 'swap_fee_pool':
      return percent(formatUnits(units(fees.swap_total) - units(fees.swap_revenue), FRACTION_DECIMALS))
    case 'swap_fee_revenue':
      return percent(fees.swap_revenue)
    case 'split_rewards':
      return percent(fees.revenue_split.rewards)
    case 'split_referral':
      return percent(fees.revenue_split.referral)
    case 'split_insurance':
      return percent(fees.revenue_split.insurance)
    case 'split_treasury':
      return percent(fees.revenue_split.treasury)
    case 'activation_price':
      return `${formatAmount(fees.activation.amount)} ${fees.activation.asset}`
    case 'activation_hours':
      return hours(config.opening.activation)
    case 'claim_hours':
      return hours(config.opening.claim)
    case 'plan_least':
      return `${formatAmount(plans.least_usdt)} USDT`
    case 'plan_max_open':
      return String(plans.max_open)
    case 'plan_slippage':
      return percent(plans.slippage)
    case 'plan_max_slippage':
      return percent(plans.max_slippage)
    case 'plan_max_skipped':
      return String(plans.max_skipped)
    case 'plan_limit_days':
      return String(plans.limit_days)
    case 'limits_in_BNB':
    case 'limits_in_USDT':
    case 'limits_in_ETH':
    case 'limits_out_BNB':
    case 'limits_out_USDT':
    case 'limits_out_ETH':
      return limits(name, config)
    default:
      return unknownName(name)
  }
}

function limits(name: `limits_${'in' | 'out'}_${string}`, { assets }: Config): string {
  const [, way, symbol] = name.split('_')
  const asset = assets.find((each) => each.asset === symbol)
  if (!asset) return m.content_live_none()
  const [min, max] = way === 'in' ? [asset.min_in, asset.max_in] : [asset.min_out, asset.max_out]
  return m.content_from_to({ min: formatAmount(min), max: `${formatAmount(max)} ${asset.asset}` })
}

/** Daily opening times, in Hong Kong time. */
function hours(window: Config['opening']['claim']): string {
  return window === 'always' ? m.content_always() : m.content_hours(window)
}

function percent(fraction: string): string {
  return formatPercent(fraction, { decimals: 4 })
}

function units(fraction: string): bigint {
  return parseUnits(fraction, FRACTION_DECIMALS) ?? 0n
}

function unknownName(name: never): never {
  throw new Error(`liveValue: there is no figure ${String(name)}`)
}
