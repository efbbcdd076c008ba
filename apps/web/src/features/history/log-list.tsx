import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatDate, formatDateTime, formatTime } from '@clearwell/ui/i18n/format-date.ts'
import { useState } from 'react'
import { accountName, describeEntry, type LogEntry } from './entry-names.ts'

const LogSheet = lazySheet(() => import('./log-sheet.tsx'))

/** Entries, newest first. A press opens an entry in full. */
export function LogList({ entries, byDay = false }: { entries: readonly LogEntry[]; byDay?: boolean }) {
  const [open, setOpen] = useState<LogEntry>()
  return (
    <>
      {byDay ? (
        [...Map.groupBy(entries, (entry) => formatDate(entry.created_at))].map(([day, ofDay]) => (
          <section key={day} aria-label={day}>
            <h2 className="figures text-label text-muted">{day}</h2>
            <Rows entries={ofDay} time="time" onOpen={setOpen} />
          </section>
        ))
      ) : (
        <Rows entries={entries} time="date" onOpen={setOpen} />
      )}
      {open && <LogSheet entry={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function Rows({
  entries,
  time,
  onOpen,
}: {
  entries: readonly LogEntry[]
  time: 'time' | 'date'
  onOpen: (entry: LogEntry) => void
}) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {entries.map((entry) => (
        <li key={entry.id}>
          <LogRow entry={entry} time={time} onOpen={() => onOpen(entry)} />
        </li>
      ))}
    </ul>
  )
}

/** A ledger entry: what happened, and the new balance of the account that it changed. */
function LogRow({ entry, time = 'time', onOpen }: { entry: LogEntry; time?: 'time' | 'date'; onOpen: () => void }) {
  const { hidden } = useHiddenAmounts()
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onOpen}
      className="flex min-h-16 w-full items-center gap-3 py-2 text-start"
    >
      <span className="flex min-w-0 flex-1 flex-col">
        <span>{describeEntry(entry)}</span>
        <span className="figures text-label text-muted">
          {time === 'time' ? formatTime(entry.created_at) : formatDateTime(entry.created_at)}
        </span>
      </span>
      <span className="figures flex min-w-0 shrink-0 flex-col items-end text-end">
        {hidden ? HIDDEN_TEXT : <AmountText amount={entry.amount} asset={entry.asset} signed raisesOut />}
        <span className="text-label text-muted">
          {accountName(entry.place)} {hidden ? HIDDEN_TEXT : formatAmount(entry.balance_after)}
        </span>
      </span>
    </button>
  )
}
