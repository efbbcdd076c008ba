import { type ReactNode, useEffect, useId, useState } from 'react'
import { cx } from '../browser/cx.ts'
import { formatDay } from '../i18n/format-date.ts'
import { Icon } from '../icons/icon.tsx'

/** Fields with the choices of the browser itself: a list and a calendar. */

const FIELD =
  'min-h-11 w-full min-w-0 rounded-control border border-transparent bg-input px-3 text-text light:border-line'

/** One of many choices, in the list of the browser. `children` are its options. */
export function SelectField({
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

/** A day as `YYYY-MM-DD`. */
export function DayField({
  label,
  value,
  onChange,
  isDay,
  min,
  max,
  error,
}: {
  label: string
  value: string | undefined
  onChange: (day: string | undefined) => void
  /** Returns whether a text is a whole day: a year is invalid while it is typed, such as 0002. */
  isDay: (text: string) => boolean
  /** The first and the last day to choose. */
  min?: string
  max?: string
  error?: string | undefined
}) {
  const id = useId()
  // The draft keeps what is typed, and only a complete day counts.
  const [draft, setDraft] = useState(value ?? '')
  useEffect(() => setDraft(value ?? ''), [value])
  const take = (text: string) => {
    setDraft(text)
    if (text === '' || isDay(text)) onChange(text === '' ? undefined : text)
  }
  // Written out: the browser's own form can have the month first. While it has the focus, the browser shows what is typed.
  const isWhole = isDay(draft)
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-label text-muted">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          type="date"
          value={draft}
          min={min}
          max={max}
          onChange={(event) => take(event.target.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-note` : undefined}
          className={cx(FIELD, 'peer', isWhole && 'not-focus:text-transparent', error && 'border-warn')}
        />
        {isWhole && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 start-3 flex items-center peer-focus:hidden"
          >
            {formatDay(draft)}
          </span>
        )}
      </div>
      {error && (
        <p id={`${id}-note`} aria-live="polite" className="text-label text-warn">
          {error}
        </p>
      )}
    </div>
  )
}
