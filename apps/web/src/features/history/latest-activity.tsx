import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Link } from '@tanstack/react-router'
import { DemoAccountMark } from '../../account/demo-mark.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useCall } from '../../api/use-call.ts'
import { m } from '../../generated/messages.ts'
import { itemsOfEntries } from './activity-items.ts'
import { ActivityList } from './activity-list.tsx'
import { PendingActivity } from './history-parts.tsx'

export const LATEST_SHOWN = 4
/** A swap has two entries, and a lock shows none. */
const LATEST_COUNT = 12

/** The entries that the newest items are made of. */
export function useLatestEntries() {
  return useCall('logs', { limit: LATEST_COUNT })
}

/** The newest items of the activity, with a link to all. Nothing for a signed-out user. */
export default function LatestActivity() {
  const { signedIn } = useAccount()
  const logs = useLatestEntries()
  if (!signedIn) return null
  const items =
    logs.data && itemsOfEntries(logs.data.items, { hasMore: logs.data.next_cursor !== null }).slice(0, LATEST_SHOWN)
  return (
    <section aria-label={m.history_latest()}>
      <header className="flex items-center justify-between gap-3">
        <span className="flex flex-wrap items-center gap-x-2">
          <h2 className="text-section">{m.history_latest()}</h2>
          <DemoAccountMark />
        </span>
        <Link to="/{-$locale}/wallet/activity" className="inline-flex min-h-11 items-center text-accent">
          {m.history_see_all()}
        </Link>
      </header>
      {items ? (
        items.length === 0 ? (
          <p className="text-muted">{m.history_activity_empty_text()}</p>
        ) : (
          <ActivityList items={items} byDay={false} />
        )
      ) : logs.isError ? (
        <ErrorState error={logs.error} onRetry={logs.refetch} />
      ) : (
        <PendingActivity byDay={false} count={LATEST_SHOWN} />
      )}
    </section>
  )
}
