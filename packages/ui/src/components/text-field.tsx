import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from '../browser/cx.ts'

/** One line of text, such as a transaction hash: its name above, and below an error with the rule that it breaks. */
export function TextField({
  label,
  value,
  onChange,
  error,
  hint,
  aside,
  placeholder,
  inputMode,
  mono = false,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  hint?: string
  /** At the end of the field: a control such as Paste. */
  aside?: ReactNode
  placeholder?: string
  /** Which keyboard a phone shows. */
  inputMode?: ComponentProps<'input'>['inputMode']
  /** For hashes and addresses. */
  mono?: boolean
}) {
  const id = useId()
  const note = error ?? hint
  const rule = error && hint
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="text-label text-muted">
        {label}
      </label>
      <div
        className={cx(
          'flex items-center gap-1 rounded-control border bg-input ps-4 focus-within:border-accent',
          aside ? 'pe-1' : 'pe-4',
          error ? 'border-warn' : 'border-transparent light:border-line',
        )}
      >
        <input
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="done"
          placeholder={placeholder}
          inputMode={inputMode}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? `${id}-note` : undefined}
          className={cx(
            'min-h-12 w-full min-w-0 flex-1 bg-transparent outline-none placeholder:text-muted',
            mono && 'font-mono',
          )}
        />
        {aside}
      </div>
      <p id={`${id}-note`} aria-live="polite" className={cx('text-label', error ? 'text-warn' : 'text-muted')}>
        {rule ? (
          <>
            <span>{error}</span> <span className="text-muted">{rule}</span>
          </>
        ) : (
          note
        )}
      </p>
    </div>
  )
}
