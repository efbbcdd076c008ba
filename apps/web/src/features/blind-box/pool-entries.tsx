import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { ListRow } from '@clearwell/ui/components/list-row.tsx'
import { Loading, RowsSkeleton } from '@clearwell/ui/components/skeleton-shapes.tsx'
import { formatAmount, shortHex } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useState } from 'react'
import { useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/messages.ts'
import { sourceText } from './source-text.ts'

/** The ledger entries that changed the pool of a day, newest first. Loads when it is opened. */
export function PoolEntries({ day }: { day: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-2 text-section [&::-webkit-details-marker]:hidden">
        {m.box_entries()}
        <Icon name="chevron-right" className="size-4 rotate-90 text-muted transition-transform group-open:-rotate-90" />
      </summary>
      {isOpen && <Entries day={day} />}
    </details>
  )
}

function Entries({ day }: { day: string }) {
  const entries = useListCall('boxSources', { day })
  const { data } = entries
  if (!data && entries.isError) return <ErrorState error={entries.error} onRetry={entries.refetch} />
  if (!data)
    return (
      <Loading>
        <RowsSkeleton count={3} />
      </Loading>
    )
  return (
    <>
      <p className="text-secondary text-muted">{data.length === 0 ? m.box_entries_none() : m.box_entries_text()}</p>
      <ul className="flex flex-col divide-y divide-line">
        {data.map(({ entry, kind, asset, amount, entry_hash, created_at }) => (
          <li key={`${entry} ${asset}`}>
            <ListRow
              title={sourceText(kind)}
              detail={
                <span title={entry_hash}>
                  {m.box_entry({ n: formatAmount(String(entry)), hash: shortHex(entry_hash) })}
                </span>
              }
              value={<AmountText amount={amount} asset={asset} signed />}
              valueDetail={formatDateTime(created_at)}
            />
          </li>
        ))}
      </ul>
      <ListEnd {...entries} />
    </>
  )
}
