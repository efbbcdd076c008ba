import type { AssetId } from '@clearwell/money/asset'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { Link } from '@tanstack/react-router'
import { ArchiveNote } from '../../account/archive-note.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useLastPage, useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/messages.ts'
import { itemsOfEntries } from './activity-items.ts'
import { ActivityList } from './activity-list.tsx'
import { PendingActivity } from './history-parts.tsx'

/** The activity of one asset, with a link to its entries in the balance log. */
export default function AssetActivity({ asset }: { asset: AssetId }) {
  const { signedIn } = useAccount()
  const logs = useListCall('logs', { asset })
  const archivedUntil = useLastPage('logs', { asset })?.archived_until
  if (!signedIn) return null
  const items = logs.data && itemsOfEntries(logs.data, { hasMore: logs.hasNextPage })
  return (
    <section aria-label={m.title_wallet_activity()}>
      <header className="flex items-center justify-between gap-3">
        <h2 className="text-section">{m.title_wallet_activity()}</h2>
        <Link to="/{-$locale}/wallet/logs" search={{ asset }} className="inline-flex min-h-11 items-center text-accent">
          {m.title_wallet_logs()}
        </Link>
      </header>
      {items ? (
        items.length === 0 && !logs.hasNextPage ? (
          <p className="py-3 text-muted">{m.history_activity_empty_text()}</p>
        ) : (
          <ActivityList items={items} />
        )
      ) : logs.isError ? (
        <ErrorState error={logs.error} onRetry={logs.refetch} />
      ) : (
        <PendingActivity />
      )}
      <ListEnd {...logs} />
      <ArchiveNote until={archivedUntil} />
    </section>
  )
}
