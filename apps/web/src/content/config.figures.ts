import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { formatAmount, formatPercent } from '@clearwell/ui/i18n/format.ts'
import { currentLocale } from '@clearwell/ui/i18n/locale.ts'
import type { Config } from '../api/config.ts'
import { m } from '../generated/messages.ts'
import { liveFiguresOf } from './live-figures.ts'

const FRACTION_DECIMALS = 18
const LIMITED = ['BNB', 'USDT', 'ETH'] as const

/** Live figures of the operator's configuration that belong to no single feature. */
export default liveFiguresOf('config', {
  product: ({ product }) => product[currentLocale()],
  chain_name: ({ chain }) => chain.name,
  chain_id: ({ chain }) => String(chain.id),
  confirmations: ({ chain }) => String(chain.confirmations),
  vault: ({ vault }) => vault,
  swap_fee: ({ fees }) => percent(fees.swap_total),
  swap_fee_pool: ({ fees }) =>
    percent(formatUnits(units(fees.swap_total) - units(fees.swap_revenue), FRACTION_DECIMALS)),
  swap_fee_revenue: ({ fees }) => percent(fees.swap_revenue),
  split_rewards: ({ fees }) => percent(fees.revenue_split.rewards),
  split_referral: ({ fees }) => percent(fees.revenue_split.referral),
  split_insurance: ({ fees }) => percent(fees.revenue_split.insurance),
  split_treasury: ({ fees }) => percent(fees.revenue_split.treasury),
  activation_price: ({ fees: { activation } }) => `${formatAmount(activation.amount)} ${activation.asset}`,
  activation_hours: ({ opening }) => hours(opening.activation),
  claim_hours: ({ opening }) => hours(opening.claim),
  ...Object.fromEntries(
    LIMITED.map((asset) => [`limits_in_${asset}`, (config: Config) => limits(config, asset, 'in')]),
  ),
  ...Object.fromEntries(
    LIMITED.map((asset) => [`limits_out_${asset}`, (config: Config) => limits(config, asset, 'out')]),
  ),
})

function limits({ assets }: Config, symbol: (typeof LIMITED)[number], way: 'in' | 'out'): string {
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
