import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useState } from 'react'
import { m } from '../../generated/messages.ts'
import { FindField } from './find-field.tsx'
import { changeLogFilter, type LogFilter } from './log-filter.ts'
import { namedParts } from './log-filter-words.ts'

const LogFilterSheet = lazySheet(() => import('./log-filter-sheet.tsx'))

/** The search of the balance log in one row with its filter, which is behind a button. The parts that narrow the log are below it. */
export function LogFilterBar({ filter, onChange }: { filter: LogFilter; onChange: (filter: LogFilter) => void }) {
  const [isOpen, setOpen] = useState(false)
  const parts = namedParts(filter)
  return (
    <div className="flex flex-col gap-2">
      <div className="flex gap-2 max-magnified:flex-wrap">
        <div className="min-w-0 flex-1 max-magnified:basis-full">
          <FindField value={filter.find ?? ''} onChange={(find) => onChange(changeLogFilter(filter, { find }))} />
        </div>
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          className="flex min-h-11 shrink-0 items-center gap-2 rounded-control bg-input px-3 text-secondary hover:text-accent light:bg-line"
        >
          <Icon name="list-filter" className="text-muted" />
          {m.history_logs_filter()}
        </button>
      </div>
      {parts.length > 0 && (
        <ul aria-label={m.history_logs_filter()} className="flex flex-wrap gap-1">
          {parts.map(({ part, name, removal }) => (
            <li key={part}>
              <button
                type="button"
                aria-label={m.history_logs_filter_remove({ name })}
                onClick={() => onChange(changeLogFilter(filter, removal))}
                className="flex min-h-11 items-center gap-1 rounded-chip bg-line px-3 text-label hover:text-accent light:bg-surface"
              >
                {name}
                <Icon name="x" className="size-4 text-muted" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {isOpen && <LogFilterSheet filter={filter} onChange={onChange} onClose={() => setOpen(false)} />}
    </div>
  )
}
