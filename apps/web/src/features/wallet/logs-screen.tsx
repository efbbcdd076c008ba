import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatDate } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { Screen } from '../../ui/screen.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { LogFilter } from './log-filter.ts'
import { isLogKind, kindName, LOG_KINDS } from './log-kind.ts'
import { type LogEntry, LogRow } from './log-row.tsx'

const ALL = 'all'

/** Every ledger entry that touched my balances, newest first, with the balance after each. */
export function LogsScreen({ filter }: { filter: LogFilter }) {
  const { signedIn } = useAccount()
  const navigate = useNavigate()
  const logs = useListCall('logs', filter)
  const narrow = (change: { asset?: AssetId | undefined; kind?: string | undefined }) => {
    const { asset, kind } = { ...filter, ...change }
    const search = { ...(asset ? { asset } : {}), ...(kind ? { kind } : {}) }
    return navigate({ to: '/{-$locale}/wallet/logs', search, replace: true, resetScroll: false })
  }
  return (
    <Screen
      title={m.title_wallet_logs()}
      aside={
        signedIn && (
          <IconButton
            icon="refresh-cw"
            label={m.app_reload()}
            aria-busy={logs.isRefetching || undefined}
            onClick={() => logs.refetch()}
          />
        )
      }
    >
      {!signedIn ? (
        <Card className="flex flex-col gap-4">
          <p>{m.wallet_signed_out()}</p>
          <GatedButton needs="session">{m.nav_connect()}</GatedButton>
        </Card>
      ) : (
        <>
          <SegmentedControl
            label={m.wallet_logs_filter_asset()}
            options={[
              { value: ALL, label: m.wallet_logs_all() },
              ...ASSET_IDS.map((asset) => ({ value: asset, label: asset })),
            ]}
            value={filter.asset ?? ALL}
            onChange={(asset) => narrow({ asset: asset === ALL ? undefined : (asset as AssetId) })}
          />
          <KindSelect kind={filter.kind} onChange={(kind) => narrow({ kind })} />
          {logs.data ? (
            logs.data.length === 0 ? (
              <NoEntries filter={filter} onClear={() => narrow({ asset: undefined, kind: undefined })} />
            ) : (
              <Days entries={logs.data} />
            )
          ) : logs.isError ? (
            <ErrorState error={logs.error} onRetry={logs.refetch} />
          ) : (
            <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-3">
              {[1, 2, 3, 4, 5, 6].map((row) => (
                <Skeleton key={row} className="h-13" />
              ))}
            </div>
          )}
          <ListEnd {...logs} />
        </>
      )}
    </Screen>
  )
}

function KindSelect({ kind, onChange }: { kind: string | undefined; onChange: (kind: string | undefined) => void }) {
  const id = useId()
  const unknown = kind !== undefined && !isLogKind(kind)
  return (
    <div className="flex items-center justify-between gap-3">
      <label htmlFor={id} className="text-muted">
        {m.wallet_logs_filter_kind()}
      </label>
      <select
        id={id}
        value={kind ?? ALL}
        onChange={(event) => onChange(event.target.value === ALL ? undefined : event.target.value)}
        className="min-h-11 rounded-control border border-edge/60 bg-raised px-3"
      >
        <option value={ALL}>{m.wallet_logs_all_kinds()}</option>
        {[...LOG_KINDS, ...(unknown ? [kind] : [])].map((each) => (
          <option key={each} value={each}>
            {kindName(each)}
          </option>
        ))}
      </select>
    </div>
  )
}

function NoEntries({ filter, onClear }: { filter: LogFilter; onClear: () => void }) {
  if (filter.asset === undefined && filter.kind === undefined)
    return <EmptyState icon="history" title={m.wallet_logs_empty()} text={m.wallet_logs_empty_text()} />
  return (
    <EmptyState
      icon="history"
      title={m.wallet_logs_none()}
      action={
        <Button look="quiet" onClick={onClear}>
          {m.wallet_logs_clear()}
        </Button>
      }
    />
  )
}

function Days({ entries }: { entries: readonly LogEntry[] }) {
  const days = Map.groupBy(entries, (entry) => formatDate(entry.created_at))
  return [...days].map(([day, ofDay]) => (
    <section key={day} aria-label={day}>
      <h2 className="text-label text-muted">{day}</h2>
      <ul className="flex flex-col divide-y divide-line">
        {ofDay.map((entry) => (
          <LogRow key={entry.id} entry={entry} />
        ))}
      </ul>
    </section>
  ))
}
