import { Link } from '@tanstack/react-router'
import { useAccount } from '../account/use-account.ts'
import { lazyPart } from '../components/lazy-part.tsx'
import { ActivationBanner } from '../features/activation/activation-banner.tsx'
import { MarketList } from '../features/market/market-list.tsx'
import { ProofSlot } from '../features/proof/proof-slot.tsx'
import { TotalValue } from '../features/wallet/total-value.tsx'
import { m } from '../generated/paraglide/messages.js'
import { Icon, type IconName } from '../icons/icon.tsx'

const HomePositions = lazyPart(() => import('../features/wallet/home-positions.tsx'))
const UnreadNotices = lazyPart(() => import('../features/notice/unread-notices.tsx'))

/** Shows the user's balances, open tasks and shortcuts. */
export function HomeScreen() {
  const { signedIn } = useAccount()
  return (
    <div className="flex flex-1 flex-col gap-4 px-4 pt-4 pb-6">
      <h1 className="sr-only">{m.nav_home()}</h1>
      <TotalValue />
      <ActivationBanner />
      <QuickActions />
      <MarketList />
      {signedIn && <HomePositions />}
      {signedIn && <UnreadNotices />}
      <ProofSlot />
    </div>
  )
}

function QuickActions() {
  return (
    <nav aria-label={m.home_quick_actions()} className="grid grid-fit-19 gap-2">
      <QuickAction to="/{-$locale}/wallet/buy" icon="arrow-down-to-line" label={m.home_action_transfer_in()} />
      <QuickAction to="/{-$locale}/swap/exchange" icon="arrow-left-right" label={m.home_action_swap()} />
      <QuickAction to="/{-$locale}/stake/pledge" icon="layers" label={m.home_action_pledge()} />
      <QuickAction to="/{-$locale}/node/blindBox" icon="box" label={m.home_action_box()} />
    </nav>
  )
}

type QuickActionPath =
  | '/{-$locale}/wallet/buy'
  | '/{-$locale}/swap/exchange'
  | '/{-$locale}/stake/pledge'
  | '/{-$locale}/node/blindBox'

function QuickAction({ to, icon, label }: { to: QuickActionPath; icon: IconName; label: string }) {
  return (
    <Link
      to={to}
      className="flex min-h-20 flex-col items-center justify-center gap-2 rounded-card border border-line bg-surface p-1 text-center text-label [overflow-wrap:anywhere] transition-colors hover:border-accent"
    >
      <Icon name={icon} className="text-accent" />
      {label}
    </Link>
  )
}
