import { pathInLocale } from '@clearwell/ui/i18n/locale-path.ts'
import type { IconName } from '@clearwell/ui/icons/icon.tsx'
import { m } from '../generated/messages.ts'

interface Tab {
  /** As the router knows the path: links keep the language. */
  readonly to: `/{-$locale}${string}`
  readonly icon: IconName
  readonly label: () => string
}

/** The tabs; their screens have no back button. */
export const TABS = [
  { to: '/{-$locale}', icon: 'house', label: m.nav_home },
  { to: '/{-$locale}/swap/exchange', icon: 'arrow-left-right', label: m.nav_swap },
  { to: '/{-$locale}/stake', icon: 'landmark', label: m.nav_stake },
  { to: '/{-$locale}/node', icon: 'network', label: m.nav_node },
  { to: '/{-$locale}/wallet', icon: 'wallet', label: m.nav_wallet },
] as const satisfies readonly Tab[]

/** The bare paths of the screens of the tabs. */
export const TAB_PATHS: readonly string[] = TABS.map(({ to }) => to.replace('/{-$locale}', '') || '/')

/** The places in `TABS` of the screens by the first part of their paths; the others belong to home. */
const PLACES: Readonly<Record<string, number>> = {
  swap: 1,
  stake: 2,
  node: 3,
  ranks: 3,
  referral: 3,
  rich: 3,
  team: 3,
  wallet: 4,
  transaction: 4,
}

/** The place in `TABS` of the tab that a screen belongs to, which is lit on it. */
export function tabOf(pathname: string): number {
  return PLACES[pathInLocale(pathname, 'zh-HK').split('/')[1] ?? ''] ?? 0
}
