import { Link } from '@tanstack/react-router'
import { useAccount } from '../../account/use-account.ts'
import { useCall } from '../../api/use-call.ts'
import { Card } from '../../components/card.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { Icon, type IconName } from '../../icons/icon.tsx'
import { LogList } from './log-list.tsx'

/** The history on the wallet screen. */

const LATEST_COUNT = 4

/** The newest entries of the balance log, with a link to all. Nothing for a signed-out user. */
export function LatestEntries() {
  const { signedIn } = useAccount()
  const logs = useCall('logs', { limit: LATEST_COUNT })
  if (!signedIn) return null
  return (
    <Card
      title={m.history_latest()}
      action={
        <Link to="/{-$locale}/wallet/logs" className="-my-3 inline-flex min-h-11 items-center text-accent">
          {m.history_see_all()}
        </Link>
      }
    >
      {logs.data ? (
        logs.data.items.length === 0 ? (
          <p className="text-muted">{m.history_logs_empty_text()}</p>
        ) : (
          <div className="-my-2">
            <LogList entries={logs.data.items} />
          </div>
        )
      ) : logs.isError ? (
        <ErrorState error={logs.error} onRetry={logs.refetch} />
      ) : (
        <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-2">
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
        </div>
      )}
    </Card>
  )
}

/** Links to the value over time and to the transactions on the chain. */
export function HistoryLinks() {
  return (
    <nav
      aria-label={m.history_links()}
      className="flex flex-col divide-y divide-line rounded-card border border-line bg-surface"
    >
      <HistoryLink
        to="/{-$locale}/wallet/summary"
        icon="chart-no-axes-combined"
        title={m.title_wallet_summary()}
        text={m.history_summary_link_text()}
      />
      <HistoryLink
        to="/{-$locale}/transaction"
        icon="history"
        title={m.nav_transaction_history()}
        text={m.history_chain_link_text()}
      />
    </nav>
  )
}

function HistoryLink({
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
