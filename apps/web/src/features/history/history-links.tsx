import { Link } from '@tanstack/react-router'
import { m } from '../../generated/paraglide/messages.js'
import { Icon, type IconName } from '../../icons/icon.tsx'

/** The ways to what everything is worth over time, and to everything on the chain. */
export function HistoryLinks() {
  return (
    <nav
      aria-label={m.history_links()}
      className="flex flex-col divide-y divide-line rounded-card border border-line bg-card"
    >
      <Way
        to="/{-$locale}/wallet/summary"
        icon="chart-no-axes-combined"
        title={m.title_wallet_summary()}
        text={m.history_summary_link_text()}
      />
      <Way
        to="/{-$locale}/transaction"
        icon="history"
        title={m.nav_transaction_history()}
        text={m.history_chain_link_text()}
      />
    </nav>
  )
}

function Way({
  to,
  icon,
  title,
  text,
}: {
  to: '/{-$locale}/wallet/summary' | '/{-$locale}/transaction'
  icon: IconName
  title: string
  text: string
}) {
  return (
    <Link to={to} className="group flex min-h-14 items-center gap-3 px-4 py-3">
      <Icon name={icon} className="text-accent" />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="transition-colors group-hover:text-accent">{title}</span>
        <span className="text-label text-muted">{text}</span>
      </span>
      <Icon name="chevron-right" className="text-muted" />
    </Link>
  )
}
