import { ENTRY_KINDS } from '@clearwell/api/entry-kinds'
import { ASSET_IDS } from '@clearwell/money/asset'
import { cx } from '@clearwell/ui/browser/cx.ts'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { m } from '../../generated/messages.ts'
import { kindName } from './entry-names.ts'
import {
  changeLogFilter,
  dayOf,
  isDay,
  LOG_RANGES,
  type LogFilter,
  type LogFilterChange,
  type LogRange,
} from './log-filter.ts'

const ALL = 'all'

const RANGE_NAMES: Record<LogRange, () => string> = {
  all: m.history_range_all,
  today: m.history_range_today,
  '7d': m.history_range_7d,
  '30d': m.history_range_30d,
  own: m.history_range_own,
}

/** The filter of the balance log: asset, kind and days. */
export function LogFilterForm({ filter, onChange }: { filter: LogFilter; onChange: (filter: LogFilter) => void }) {
  const { kind, range = ALL } = filter
  const narrow = (change: LogFilterChange) => onChange(changeLogFilter(filter, change))
  return (
    <div className="flex flex-col gap-3">
      <SegmentedControl
        label={m.history_logs_filter_asset()}
        options={[
          { value: ALL, label: m.history_logs_all() },
          ...ASSET_IDS.map((asset) => ({ value: asset, label: asset })),
        ]}
        value={filter.asset ?? ALL}
        onChange={(asset) => narrow({ asset: asset === ALL ? undefined : asset })}
      />
      <div className="grid grid-cols-2 gap-3">
        <Select
          label={m.history_logs_filter_kind()}
          value={kind ?? ALL}
          onChange={(next) => narrow({ kind: next === ALL ? undefined : next })}
        >
          <option value={ALL}>{m.history_logs_all_kinds()}</option>
          {ENTRY_KINDS.map((each) => (
            <option key={each} value={each}>
              {kindName(each)}
            </option>
          ))}
        </Select>
        <Select label={m.history_logs_filter_range()} value={range} onChange={(next) => narrow(rangeChange(next))}>
          {LOG_RANGES.map((each) => (
            <option key={each} value={each}>
              {RANGE_NAMES[each]()}
            </option>
          ))}
        </Select>
      </div>
      {range === 'own' && (
        <div className="grid grid-cols-2 gap-3">
          <DayField
            label={m.history_range_from()}
            value={filter.from}
            onChange={(from) => narrow(firstDay(from, filter))}
          />
          <DayField label={m.history_range_to()} value={filter.to} onChange={(to) => narrow(lastDay(to, filter))} />
        </div>
      )}
    </div>
  )
}

/** A custom range starts with today, which is easier to change than an empty field. */
function rangeChange(next: string): LogFilterChange {
  const range = LOG_RANGES.find((each) => each === next) ?? ALL
  const today = dayOf(new Date())
  return range === 'own' ? { range, from: today, to: today } : { range }
}

/** A first day after the last one moves the last one too, and vice versa. */
function firstDay(from: string | undefined, { to }: LogFilter): LogFilterChange {
  return from !== undefined && to !== undefined && from > to ? { from, to: from } : { from }
}

function lastDay(to: string | undefined, { from }: LogFilter): LogFilterChange {
  return from !== undefined && to !== undefined && from > to ? { from: to, to } : { to }
}

const FIELD =
  'min-h-11 w-full min-w-0 rounded-control border border-transparent bg-input px-3 text-text light:border-line'

function Select({
  label,
  value,
  onChange,
  children,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  children: ReactNode
}) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-label text-muted">
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={cx(FIELD, 'appearance-none pe-8')}
        >
          {children}
        </select>
        <Icon
          name="chevron-right"
          className="pointer-events-none absolute end-3 top-1/2 -translate-y-1/2 rotate-90 text-muted"
        />
      </div>
    </div>
  )
}

function DayField({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | undefined
  onChange: (day: string | undefined) => void
}) {
  const id = useId()
  // A year is invalid while typed: 0002, 0020. The draft keeps it, and only a complete day filters.
  const [draft, setDraft] = useState(value ?? '')
  useEffect(() => setDraft(value ?? ''), [value])
  const take = (text: string) => {
    setDraft(text)
    if (text === '' || isDay(text)) onChange(text === '' ? undefined : text)
  }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-label text-muted">
        {label}
      </label>
      <input
        id={id}
        type="date"
        value={draft}
        max={dayOf(new Date())}
        onChange={(event) => take(event.target.value)}
        className={FIELD}
      />
    </div>
  )
}
