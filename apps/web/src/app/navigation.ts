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
