import type { ReactNode } from 'react'
import { cx } from '../browser/cx.ts'

export type BadgeTone = 'plain' | 'accent' | 'up' | 'down' | 'warn'

const TONES: Record<BadgeTone, string> = {
  plain: 'border-line text-muted',
  accent: 'border-accent/50 text-accent',
  up: 'border-up/50 text-up',
  down: 'border-down/50 text-down',
  warn: 'border-warn/50 text-warn',
}

/** A state in a word or two. The words carry the meaning; the colour only repeats it. */
export function Badge({ tone = 'plain', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 rounded-full border px-2 py-0.5 text-label whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  )
}
