import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { ListRow } from '@clearwell/ui/components/list-row.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { formatAmount, shortHex } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useState } from 'react'
import { useLastPage, useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/messages.ts'
import { SOURCE_ENTRIES } from './blind-box.samples.ts'
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
  const isArchived = useLastPage('boxSources', { day })?.is_archived
  return (
    <>
      <Loaded read={entries} sample={SOURCE_ENTRIES}>
        {(listed) => (
          <>
            <p className="text-secondary text-muted">
              {isArchived
                ? m.box_entries_archived()
                : listed.length === 0
                  ? m.box_entries_none()
                  : m.box_entries_text()}
            </p>
            <ul className="flex flex-col divide-y divide-line">
              {listed.map(({ entry, kind, asset, amount, entry_hash, created_at }) => (
                <li key={`${entry} ${asset}`}>
                  <ListRow
                    title={sourceText(kind)}
                    detail={
                      <span title={entry_hash}>
                        {m.box_entry({ n: formatAmount(String(entry)), hash: shortHex(entry_hash) })}
                      </span>
                    }
                    value={<AmountText isPublic amount={amount} asset={asset} signed />}
                    valueDetail={formatDateTime(created_at)}
                  />
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <ListEnd {...entries} />
    </>
  )
}
