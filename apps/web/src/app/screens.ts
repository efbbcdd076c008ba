/**
 * Every screen by its bare path, with the message that is its heading; each has a twin under `/en`. Plain data: the build,
 * the checks of the content and the journeys read it. `routes/route-tree.tsx` gives each its component, and does not
 * compile while one is missing.
 */

/** The screens of the specification (§2). */
export const SPEC_SCREENS = {
  '/': 'nav_home',
  '/language': 'nav_language',
  '/markets/{name}': 'market_list',
  '/node': 'nav_my_node',
  '/node/aboutUs': 'nav_about_us',
  '/node/blindBox': 'nav_blind_box',
  '/node/claim': 'title_node_claim',
  '/node/confirmation': 'title_node_confirmation',
  '/node/income': 'title_node_income',
  '/ranks': 'nav_rankings',
  '/referral': 'nav_referral',
  '/rich': 'nav_upgrade_hub',
  '/rich/pledge': 'title_rich_pledge',
  '/stake': 'nav_staking',
  '/stake/lend': 'title_stake_lend',
  '/stake/lend/add': 'title_stake_lend_add',
  '/stake/lend/confirm': 'title_stake_lend_confirm',
  '/stake/lend/orders': 'title_stake_lend_orders',
  '/stake/lend/result': 'title_stake_lend_result',
  '/stake/liquidate': 'nav_liquidation_market',
  '/stake/pledge': 'title_stake_pledge',
  '/stake/pledge/confirm': 'title_stake_pledge_confirm',
  '/stake/pledge/result': 'title_stake_pledge_result',
  '/swap/activate': 'title_swap_activate',
  '/swap/exchange': 'nav_swap',
  '/team': 'nav_my_team',
  '/transaction': 'nav_transaction_history',
  '/wallet': 'nav_my_wallet',
  '/wallet/buy': 'title_wallet_buy',
  '/wallet/buyOrder': 'title_wallet_buy_order',
  '/wallet/confirmation': 'title_wallet_confirmation',
  '/wallet/logs': 'title_wallet_logs',
  '/wallet/sell': 'title_wallet_sell',
  '/wallet/sellOrder': 'title_wallet_sell_order',
  '/wallet/sendTransaction': 'title_wallet_send_transaction',
  '/wallet/summary': 'title_wallet_summary',
  '/white': 'nav_whitepaper',
} as const

/** Screens beyond the specification: add yours here. */
export const OWN_SCREENS = {
  '/stake/receipt': 'title_stake_receipt',
  '/wallet/activity': 'title_wallet_activity',
  '/wallet/asset': 'title_wallet_asset',
} as const satisfies Record<string, string>

export type SpecPath = keyof typeof SPEC_SCREENS
export type ScreenPath = SpecPath | keyof typeof OWN_SCREENS

/** The file with the static content of a screen: `/white/_payload.json`, in English `/en/white/_payload.json`. */
export function payloadPath(screen: ScreenPath, locale: 'zh-HK' | 'en'): string {
  // One for all markets.
  const folder = screen === '/' ? '' : screen.replace('/{name}', '')
  return `${locale === 'en' ? '/en' : ''}${folder}/_payload.json`
}
