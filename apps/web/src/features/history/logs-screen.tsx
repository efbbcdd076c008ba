import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { explicitRead } from '@clearwell/ui/components/explicit-read.ts'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen, ScreenPart } from '@clearwell/ui/components/screen.tsx'
import { useNavigate } from '@tanstack/react-router'
import { ArchiveNote } from '../../account/archive-note.tsx'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useLastPage, useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import ActivityViews from './activity-views.tsx'
import { ENTRIES } from './history.samples.ts'
import { TransferInLink } from './history-parts.tsx'
import { ExportProgress, useLogExport } from './log-export.tsx'
import { isNarrowed, type LogFilter, logQuery, readLogFilter } from './log-filter.ts'
import { LogFilterBar } from './log-filter-bar.tsx'
import { LogList } from './log-list.tsx'

/** Every ledger entry of the user's balances, newest first, with the balance after each. */
export default function LogsScreen() {
  const filter = useReadSearch(readLogFilter)
  const { signedIn } = useAccount()
  return signedIn ? (
    <Logs filter={filter} />
  ) : (
    <Screen title={m.title_wallet_logs()}>
      <SignedOut icon="history" title={m.history_logs_signed_out()} />
    </Screen>
  )
}

function Logs({ filter }: { filter: LogFilter }) {
  const navigate = useNavigate()
  const query = logQuery(filter, new Date())
  const logs = useListCall('logs', query ?? {}, { enabled: query !== undefined })
  const archivedUntil = useLastPage('logs', query ?? {})?.archived_until
  const entries = query ? logs.data : []
  const exporting = useLogExport(() => logQuery(filter, new Date()) ?? {})
  const show = (search: LogFilter) =>
    void navigate({ to: '/{-$locale}/wallet/logs', search, replace: true, resetScroll: false })
  return (
    <Screen
      title={m.title_wallet_logs()}
      aside={
        <span className="flex items-center">
          {logs.isError && logs.data && <Badge tone="warning">{m.ui_stale()}</Badge>}
          <IconButton
            icon="download"
            label={m.history_export()}
            aria-busy={exporting.state.status === 'running' || undefined}
            disabled={!entries?.length || exporting.state.status === 'running'}
            onClick={exporting.start}
            className="disabled:opacity-50"
          />
          <IconButton
            icon="refresh-cw"
            label={m.app_reload()}
            aria-busy={logs.isRefetching || undefined}
            onClick={() => explicitRead(logs.refetch)}
          />
        </span>
      }
    >
      <ScreenPart>
        <ActivityViews shown="log" find={filter.find} />
        <LogFilterBar filter={filter} onChange={show} />
        <ExportProgress {...exporting} />
      </ScreenPart>
      <ScreenPart>
        {entries ? (
          entries.length === 0 && !logs.hasNextPage ? (
            <NoEntries filter={filter} onClear={() => show({})} />
          ) : (
            <LogList entries={entries} byDay />
          )
        ) : logs.isError ? (
          <ErrorState error={logs.error} onRetry={logs.refetch} />
        ) : (
          <Pending>
            <LogList entries={ENTRIES} byDay />
          </Pending>
        )}
        <ListEnd {...logs} />
        <ArchiveNote until={query && archivedUntil} />
      </ScreenPart>
    </Screen>
  )
}

function NoEntries({ filter, onClear }: { filter: LogFilter; onClear: () => void }) {
  if (isNarrowed(filter))
    return (
      <EmptyState
        icon="history"
        title={m.history_logs_none()}
        action={
          <Button look="quiet" onClick={onClear}>
            {m.history_logs_clear()}
          </Button>
        }
      />
    )
  return (
    <EmptyState
      icon="history"
      title={m.history_logs_empty()}
      text={m.history_logs_empty_text()}
      action={<TransferInLink />}
    />
  )
}
