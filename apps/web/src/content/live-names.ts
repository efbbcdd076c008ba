/** Figures of the configuration that a text can include, such as `{swap_fee}`. */
const CONFIG_NAMES = [
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
  'plan_least',
  'plan_max_open',
  'plan_slippage',
  'plan_max_slippage',
  'plan_max_skipped',
  'plan_limit_days',
  'limits_in_BNB',
  'limits_in_USDT',
  'limits_in_ETH',
  'limits_out_BNB',
  'limits_out_USDT',
  'limits_out_ETH',
] as const

/** Parameters of the lending market. */
const LENDING_NAMES = [
  'ltv_initial',
  'ltv_warning',
  'ltv_last_warning',
  'ltv_liquidation',
  'liquidation_factor',
  'overdue_factor',
  'floor_factor',
  'ltv_whole',
  'liquidation_part',
  'small_order_loans',
  'max_open_orders',
  'order_cap',
  'account_cap',
  'unknown_price',
  'remind_hours',
  'loan_terms',
  'loan_collateral',
  'rate_step',
  'reserve_USDT',
  'reserve_BNB',
  'rates_USDT',
  'rates_BNB',
] as const

/** Terms of the upgrade hub, and the state of its programme. */
const RICH_NAMES = [
  'rt_at_genesis',
  'rt_remaining',
  'rt_release_rate',
  'rt_max_per_weight',
  'rt_shared_above',
  'rt_next_release',
  'rt_accounts',
  'rt_weight',
  'rt_approval_hours',
  'rt_notice_days',
  'rt_star_1',
  'rt_star_2',
  'rt_star_3',
  'rt_star_4',
  'rt_star_5',
  'rt_star_6',
  'rt_star_7',
  'rt_star_8',
  'rt_star_9',
] as const

/** Rules of the blind box, and its pool of today. */
const BOX_NAMES = [
  'box_chance_1',
  'box_chance_2',
  'box_chance_3',
  'box_chance_5',
  'box_chance_10',
  'box_level_step',
  'box_streak_step',
  'box_streak_max',
  'box_pool_parts',
  'box_spread_gain',
  'box_claim_days',
  'box_reveal_hours',
  'box_fee_days',
  'box_block_times',
  'box_root_margin',
  'box_click_hours',
  'box_pool_USDT',
  'box_pool_BNB',
  'box_pool_ETH',
  'box_network_power',
  'box_last_day',
] as const

/** Every live figure that a text can include. */
export const LIVE_NAMES = [...CONFIG_NAMES, ...LENDING_NAMES, ...RICH_NAMES, ...BOX_NAMES] as const

export type LiveName = (typeof LIVE_NAMES)[number]
export type ConfigName = (typeof CONFIG_NAMES)[number]
export type LendingName = (typeof LENDING_NAMES)[number]
export type RichName = (typeof RICH_NAMES)[number]
export type BoxName = (typeof BOX_NAMES)[number]

export function isLendingName(name: LiveName): name is LendingName {
  return (LENDING_NAMES as readonly string[]).includes(name)
}

export function isRichName(name: LiveName): name is RichName {
  return (RICH_NAMES as readonly string[]).includes(name)
}

export function isBoxName(name: LiveName): name is BoxName {
  return (BOX_NAMES as readonly string[]).includes(name)
}
