import { useState } from 'react'
import { lazySheet } from '../../components/lazy-part.tsx'
import { formatDate } from '../../i18n/format.ts'
import { type LogEntry, LogRow } from './log-row.tsx'

const LogSheet = lazySheet(() => import('./log-sheet.tsx'))

/** Entries, newest first. A pressed one shows everything that the ledger says of it. */
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
