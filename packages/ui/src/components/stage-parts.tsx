import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { cx } from '../browser/cx.ts'
import { useScrolledIntoView } from '../browser/in-view.ts'
import { Icon } from '../icons/icon.tsx'
import { buttonClass } from './button.tsx'
import { ShownAmounts } from './shown-amounts.tsx'

/** Building blocks of screens and sheets that ask for a confirmation. */

/** Longer than a double tap, and long enough to notice that the confirmed figures changed. */
const SEEN_AFTER_MS = 600

/** Something to consider before confirming. */
export function Warning({
  title,
  text,
  tone = 'warning',
}: {
  title?: string
  text?: ReactNode
  /** `danger` for what costs the user money. */
  tone?: 'warning' | 'danger'
}) {
  const colour = tone === 'danger' ? 'text-down' : 'text-warn'
  return (
    <div
      className={cx(
        'flex gap-2 rounded-control border px-3 py-3',
        tone === 'danger' ? 'border-down/50' : 'border-warn/50',
      )}
    >
      <Icon name="triangle-alert" className={colour} />
      <p className="min-w-0 flex-1">
        {title && <strong className={cx('block', colour)}>{title}</strong>}
        {text}
      </p>
    </div>
  )
}

/** An error, scrolled into view and announced immediately; `detail` states if funds moved. */
export function Problem({ text, detail }: { text: string; detail?: ReactNode }) {
  const shown = useScrolledIntoView<HTMLParagraphElement>()
  return (
    <p ref={shown} role="alert" className="flex gap-2 rounded-control border border-warn/50 p-3">
      <Icon name="circle-alert" className="text-warn" />
      <span className="min-w-0">
        {text}
        {detail && <span className="block text-muted">{detail}</span>}
      </span>
    </p>
  )
}

/** Something in progress: announced once, without movement under reduced motion. */
export function Waiting({ text }: { text: string }) {
  return (
    <p role="status" className="flex gap-2 text-muted">
      <Icon name="loader-circle" className="animate-spin motion-reduce:animate-none" />
      <span className="min-w-0">{text}</span>
    </p>
  )
}

/**
 * One stage of a sheet. A new stage takes the focus: the focused element of the old stage is gone, and screen readers must
 * announce the new content.
 */
export function SheetStage({ name, children }: { name: string; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null)
  const shown = useRef(name)
  useEffect(() => {
    if (shown.current === name) return
    shown.current = name
    element.current?.focus()
  }, [name])
  return (
    <div ref={element} tabIndex={-1} className="flex flex-col gap-4 outline-none">
      {/* The user is about to confirm them. */}
      <ShownAmounts>{children}</ShownAmounts>
    </div>
  )
}

/**
 * The button that sends the command of a sheet. It accepts a press only after its figures were visible for a moment: the
 * button may appear under a finger that is making a double tap, or its price may just have changed. Until then the
 * button is dimmed but keeps its size and focus.
 */
export function ConfirmButton({
  confirms,
  label,
  danger = false,
  busy = false,
  onPress,
}: {
  /** Identifies the confirmed figures: another text is another confirmation. */
  confirms: string
  label: string
  danger?: boolean
  busy?: boolean
  onPress: () => void
}) {
  const isStable = useStableFor(confirms, SEEN_AFTER_MS)
  const isReady = isStable && !busy
  return (
    <button
      type="button"
      aria-disabled={isReady ? undefined : true}
      aria-busy={busy || undefined}
      onKeyDown={ignoreKeyRepeat}
      onClick={isReady ? onPress : undefined}
      className={cx(buttonClass(danger ? 'danger' : 'main'), !isStable && !busy && 'opacity-45')}
    >
      {busy && <Icon name="loader-circle" className="animate-spin" />}
      {label}
    </button>
  )
}

/** `true` once a value has stayed the same for `durationMs`. A value that returns later has to wait again. */
function useStableFor(value: string, durationMs: number): boolean {
  const [stable, setStable] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setStable(value), durationMs)
    return () => {
      clearTimeout(timer)
      setStable(undefined)
    }
  }, [value, durationMs])
  return stable === value
}

/** A held key repeats on the next focused button; only a new press counts. */
function ignoreKeyRepeat(event: KeyboardEvent): void {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
}
