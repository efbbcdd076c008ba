import { m } from '../generated/paraglide/messages.js'
import type { IconName } from '../icons/icon.tsx'

interface Destination {
  readonly to: AppPath
  readonly icon: IconName
  readonly label: () => string
}

/** Paths as the router knows them: links keep the language. */
export type AppPath = `/{-$locale}${string}`

/** The tabs; their screens have no back button. */
export const TABS = [
  { to: '/{-$locale}', icon: 'house', label: m.nav_home },
  { to: '/{-$locale}/swap/exchange', icon: 'arrow-left-right', label: m.nav_swap },
  { to: '/{-$locale}/stake', icon: 'landmark', label: m.nav_stake },
  { to: '/{-$locale}/node', icon: 'network', label: m.nav_node },
  { to: '/{-$locale}/wallet', icon: 'wallet', label: m.nav_wallet },
] as const satisfies readonly Destination[]

/** The menu's destinations, in groups. */
export const MENU = [
  [
    { to: '/{-$locale}', icon: 'house', label: m.nav_home },
    { to: '/{-$locale}/wallet', icon: 'wallet', label: m.nav_my_wallet },
    { to: '/{-$locale}/swap/exchange', icon: 'arrow-left-right', label: m.nav_swap },
    { to: '/{-$locale}/transaction', icon: 'history', label: m.nav_transaction_history },
  ],
  [
    { to: '/{-$locale}/stake', icon: 'landmark', label: m.nav_staking },
    { to: '/{-$locale}/stake/liquidate', icon: 'scale', label: m.nav_liquidation_market },
  ],
  [
    { to: '/{-$locale}/node', icon: 'network', label: m.nav_my_node },
    { to: '/{-$locale}/node/blindBox', icon: 'box', label: m.nav_blind_box },
    { to: '/{-$locale}/node/income', icon: 'chart-no-axes-combined', label: m.nav_pool_income },
    { to: '/{-$locale}/ranks', icon: 'trophy', label: m.nav_rankings },
  ],
  [
    { to: '/{-$locale}/team', icon: 'users', label: m.nav_my_team },
    { to: '/{-$locale}/referral', icon: 'share-2', label: m.nav_referral },
    { to: '/{-$locale}/rich', icon: 'rocket', label: m.nav_upgrade_hub },
  ],
  [
    { to: '/{-$locale}/node/aboutUs', icon: 'info', label: m.nav_about_us },
    { to: '/{-$locale}/white', icon: 'file-text', label: m.nav_whitepaper },
  ],
] as const satisfies readonly (readonly Destination[])[]
