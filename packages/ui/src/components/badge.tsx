import type { ReactNode } from 'react'
import { cx } from '../browser/cx.ts'
import { Icon, type IconName } from '../icons/icon.tsx'

/**
 * The states of the product. Each has one look on every screen: `done` is neutral with a tick (activated, credited,
 * completed), `pending` is in progress or waits for a step, `warning` needs attention or failed, `plain` is anything else,
 * such as a name or a state that asks for nothing.
 */
export type BadgeTone = 'plain' | 'done' | 'pending' | 'warning'

const TONES: Record<BadgeTone, { look: string; icon?: IconName }> = {
  plain: { look: 'bg-input text-muted light:bg-line' },
  done: { look: 'bg-input text-text light:bg-line', icon: 'check' },
  pending: { look: 'bg-accent/12 text-accent light:bg-accent/4' },
  warning: { look: 'bg-warn/12 text-warn', icon: 'triangle-alert' },
}

/** A state in a word or two. The words carry the meaning; the colour and the sign only repeat it. */
export function Badge({ tone = 'plain', children }: { tone?: BadgeTone; children: ReactNode }) {
  const { look, icon } = TONES[tone]
  return (
    <span
      className={cx(
        // On the baseline of the text, not of the sign, so that a badge lines up with the words beside it.
        'inline-flex items-baseline gap-1 rounded-full px-2 text-label leading-6 font-semibold whitespace-nowrap',
        look,
      )}
    >
      {icon && <Icon name={icon} className="size-3 self-center" />}
      {children}
    </span>
  )
}
