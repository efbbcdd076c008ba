import { formatDay } from '@clearwell/ui/i18n/format-date.ts'
import { m } from '../../generated/messages.ts'
import { kindName } from './entry-names.ts'
import type { LogFilter, LogFilterChange, LogRange } from './log-filter.ts'

const RANGE_NAMES: Record<LogRange, () => string> = {
  all: m.history_range_all,
  today: m.history_range_today,
  '7d': m.history_range_7d,
  '30d': m.history_range_30d,
  own: m.history_range_own,
}

export function rangeName(range: LogRange): string {
  return RANGE_NAMES[range]()
}

/** A part of a filter by its name, with the change that removes it. */
interface NamedPart {
  readonly part: 'asset' | 'kind' | 'range'
  readonly name: string
  readonly removal: LogFilterChange
}

/** The parts of a filter that narrow the log. The typed search is not among them: its field shows it. */
export function namedParts({ asset, kind, range, from, to }: LogFilter): NamedPart[] {
  return [
    ...(asset ? [{ part: 'asset', name: asset, removal: { asset: undefined } } as const] : []),
    ...(kind ? [{ part: 'kind', name: kindName(kind), removal: { kind: undefined } } as const] : []),
    ...(range
      ? [
          {
            part: 'range',
            name: range === 'own' ? daysName(from, to) : rangeName(range),
            removal: { range: 'all' },
          } as const,
        ]
      : []),
  ]
}

function daysName(from: string | undefined, to: string | undefined): string {
  return from === undefined && to === undefined
    ? rangeName('own')
    : `${from === undefined ? '' : formatDay(from)} – ${to === undefined ? '' : formatDay(to)}`.trim()
}
