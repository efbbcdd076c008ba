import { ASSET_IDS } from '@clearwell/money/asset'
import { DayField, SelectField } from '@clearwell/ui/components/choice-fields.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { ENTRY_KINDS } from '../../generated/entry-kinds.ts'
import { m } from '../../generated/messages.ts'
import { kindName } from './entry-names.ts'
import { changeLogFilter, dayOf, isDay, LOG_RANGES, type LogFilter, type LogFilterChange } from './log-filter.ts'
import { rangeName } from './log-filter-words.ts'

const ALL = 'all'

/** The filter of the balance log: asset, kind and days. */
export function LogFilterForm({ filter, onChange }: { filter: LogFilter; onChange: (filter: LogFilter) => void }) {
  const { kind, range = ALL } = filter
  const today = dayOf(new Date())
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
        <SelectField
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
        </SelectField>
        <SelectField label={m.history_logs_filter_range()} value={range} onChange={(next) => narrow(rangeChange(next))}>
          {LOG_RANGES.map((each) => (
            <option key={each} value={each}>
              {rangeName(each)}
            </option>
          ))}
        </SelectField>
      </div>
      {range === 'own' && (
        <div className="grid grid-cols-2 gap-3">
          <DayField
            isDay={isDay}
            max={today}
            label={m.history_range_from()}
            value={filter.from}
            onChange={(from) => narrow(firstDay(from, filter))}
          />
          <DayField
            isDay={isDay}
            max={today}
            label={m.history_range_to()}
            value={filter.to}
            onChange={(to) => narrow(lastDay(to, filter))}
          />
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
