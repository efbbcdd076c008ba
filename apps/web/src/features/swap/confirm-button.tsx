import type { KeyboardEvent } from 'react'
import { cx } from '../../browser/cx.ts'
import { buttonClass } from '../../components/button.tsx'
import { Icon } from '../../icons/icon.tsx'
import { useStood } from './use-stood.ts'

/**
 * The button that sends what a sheet says. It takes a press only once what it confirms has stood there for a moment: it
 * may come up under a finger that is on its way to something else, such as the second tap of a double tap, or a price that
 * was just replaced. Until then it is no more than dimmed: it keeps its place and its focus.
 */
export function ConfirmButton({
  confirms,
  label,
  danger = false,
  busy = false,
  onPress,
}: {
  /** What is confirmed, in a few words of its own: another text is another confirmation. */
  confirms: string
  label: string
  danger?: boolean
  busy?: boolean
  onPress: () => void
}) {
  const isStanding = useStood(confirms)
  const takesPress = isStanding && !busy
  return (
    <button
      type="button"
      aria-disabled={takesPress ? undefined : true}
      aria-busy={busy || undefined}
      onKeyDown={passOverRepeats}
      onClick={takesPress ? onPress : undefined}
      className={cx(buttonClass(danger ? 'danger' : 'main'), !isStanding && !busy && 'opacity-45')}
    >
      {busy && <Icon name="loader-circle" className="animate-spin" />}
      {label}
    </button>
  )
}

/** A key that is held down goes on pressing whatever has the focus: only a press of its own counts. */
function passOverRepeats(event: KeyboardEvent): void {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
}
