/** The configuration figures that a text can include, such as `{swap_fee}`. */
export const LIVE_NAMES = [
  'product',
  'chain_name',
  'chain_id',
  'confirmations',
  'vault',
  'swap_fee',
  'swap_fee_pool',
  'swap_fee_revenue',
  'split_rewards',
  'split_referral',
  'split_insurance',
  'split_treasury',
  'activation_price',
  'activation_hours',
  'claim_hours',
  'limits_in_BNB',
  'limits_in_USDT',
  'limits_in_ETH',
  'limits_out_BNB',
  'limits_out_USDT',
  'limits_out_ETH',
] as const

export type LiveName = (typeof LIVE_NAMES)[number]
