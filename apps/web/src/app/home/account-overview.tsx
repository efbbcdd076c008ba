import { Link } from '@tanstack/react-router'
import { TotalValue } from '../../features/wallet/total-value.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { Icon, type IconName } from '../../icons/icon.tsx'
import type { AppPath } from '../navigation.ts'
import { Checklist } from './checklist.tsx'

/** The top of home for a signed-in user: the total, what can be done now, and the steps until the first swap. */
export default function AccountOverview() {
  return (
    <>
      <TotalValue />
      <QuickActions />
      <Checklist />
    </>
  )
}

/** Only what is open. */
const ACTIONS = [
  { to: '/{-$locale}/wallet/buy', icon: 'arrow-down-to-line', label: m.home_action_transfer_in },
  { to: '/{-$locale}/wallet/sell', icon: 'arrow-up-from-line', label: m.home_action_transfer_out },
  { to: '/{-$locale}/swap/exchange', icon: 'arrow-left-right', label: m.home_action_swap },
  { to: '/{-$locale}/wallet/logs', icon: 'history', label: m.home_action_activity },
] as const satisfies readonly { to: AppPath; icon: IconName; label: () => string }[]

function QuickActions() {
  return (
    <nav
      aria-label={m.home_quick_actions()}
      className="grid grid-cols-[repeat(auto-fit,minmax(min(4.75rem,100%),1fr))] gap-2"
    >
      {ACTIONS.map(({ to, icon, label }) => (
        <Link
          key={to}
          to={to}
          className="flex min-h-20 flex-col items-center justify-center gap-2 rounded-control bg-input p-1 text-center text-secondary [overflow-wrap:anywhere] transition-colors hover:bg-line"
        >
          <Icon name={icon} className="text-accent" />
          {label()}
        </Link>
      ))}
    </nav>
  )
}
