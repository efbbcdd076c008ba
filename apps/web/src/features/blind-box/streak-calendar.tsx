import { cx } from '@clearwell/ui/browser/cx.ts'
import { Section } from '@clearwell/ui/components/card.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { formatMonth, formatShortDay, weekdayNames } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useState } from 'react'
import { m } from '../../generated/messages.ts'
import { type BoxCalendar, useBoxCalendar } from './blind-box.queries.ts'
import { emptyMonth } from './blind-box.samples.ts'
import { type CalendarDay, calendarOf, monthAfter } from './calendar-days.ts'

/**
 * The days of a month with a click, and those without one since the first.
 *
 * @param today the day in Hong Kong, which the screen knows before the user's clicks.
 */
export function StreakCalendar({ today }: { today: string }) {
  const [month, setMonth] = useState<string>()
  const { data: current } = useBoxCalendar(undefined)
  const calendar = useBoxCalendar(month)
  const { data } = calendar
  const present = (current?.today ?? today).slice(0, 7)
  const shown = month ?? present
  const first = current?.first_day?.slice(0, 7) ?? present
  return (
    <Section
      title={m.box_calendar()}
      action={
        <span className="-me-3 flex items-center">
          <IconButton
            icon="chevron-left"
            label={m.box_calendar_before()}
            disabled={shown <= first}
            className="disabled:opacity-45"
            onClick={() => setMonth(monthAfter(shown, -1))}
          />
          <span aria-live="polite" className="figures min-w-28 text-center text-secondary text-muted">
            {formatMonth(shown)}
          </span>
          <IconButton
            icon="chevron-right"
            label={m.box_calendar_after()}
            disabled={shown >= present}
            className="disabled:opacity-45"
            onClick={() => setMonth(monthAfter(shown, 1))}
          />
        </span>
      }
    >
      {data ? (
        <Month calendar={data} />
      ) : calendar.isError ? (
        <ErrorState error={calendar.error} onRetry={calendar.refetch} />
      ) : (
        <Pending>
          <Month calendar={emptyMonth(shown)} />
        </Pending>
      )}
    </Section>
  )
}

function Month({ calendar }: { calendar: BoxCalendar }) {
  const { blanks, days } = calendarOf(calendar)
  return (
    <>
      <Weekdays />
      <ul className={WEEKS}>
        {Array.from({ length: blanks }, (_, index) => (
          <li key={`blank${index}`} aria-hidden="true" />
        ))}
        {days.map((day) => (
          <li key={day.day}>
            <Day day={day} />
          </li>
        ))}
      </ul>
      <Legend />
    </>
  )
}

const WEEKS = 'grid grid-cols-7 gap-y-1 text-center'

function Weekdays() {
  return (
    <div aria-hidden="true" className="grid grid-cols-7 pb-1 text-center text-label text-muted">
      {weekdayNames().map((name, index) => (
        <span key={index}>{name}</span>
      ))}
    </div>
  )
}

function Legend() {
  return (
    <p className="mt-2 flex flex-wrap gap-x-4 text-label text-muted">
      <span className="flex items-center gap-1">
        <Icon name="check" className="size-4 text-accent" />
        {m.box_calendar_clicked()}
      </span>
      <span className="flex items-center gap-1">
        <span className="size-3 rounded-full border border-line" />
        {m.box_calendar_missed()}
      </span>
      <span>{m.box_calendar_zone()}</span>
    </p>
  )
}

const LOOKS: Record<CalendarDay['state'], string> = {
  clicked: 'bg-accent/12 text-accent light:bg-accent/4',
  missed: 'border border-line text-muted',
  today: 'border-2 border-accent',
  none: 'text-muted',
}

function Day({ day: { day, date, state } }: { day: CalendarDay }) {
  return (
    <span className="relative inline-flex justify-center">
      <span className="sr-only">{dayText(day, state)}</span>
      <span
        aria-hidden="true"
        className={cx('figures flex size-9 items-center justify-center rounded-full text-secondary', LOOKS[state])}
      >
        {state === 'clicked' ? <Icon name="check" className="size-4" /> : date}
      </span>
    </span>
  )
}

function dayText(day: string, state: CalendarDay['state']): string {
  const date = formatShortDay(day)
  if (state === 'clicked') return m.box_day_clicked({ date })
  return state === 'missed' ? m.box_day_missed({ date }) : date
}
