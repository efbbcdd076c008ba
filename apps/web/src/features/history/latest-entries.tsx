import { Link } from '@tanstack/react-router'
import { useAccount } from '../../account/use-account.ts'
import { useCall } from '../../api/use-call.ts'
import { Card } from '../../components/card.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { LogList } from './log-list.tsx'

const LATEST = 4

/** The newest entries of the balance log, and the way to all of them. Nothing for who is not signed in. */
export function LatestEntries() {
  const { signedIn } = useAccount()
  const logs = useCall('logs', { limit: LATEST })
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
