import { m } from '../generated/messages.ts'
import type { IconName } from '../icons/icon.tsx'

export interface Destination {
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
