import { cx } from '@clearwell/ui/browser/cx.ts'
import { ProofSeal } from '@clearwell/ui/components/brand-mark.tsx'
import { Ripples } from '@clearwell/ui/components/ripples.tsx'
import { Icon, type IconName } from '@clearwell/ui/icons/icon.tsx'
import type { ReactNode } from 'react'

/** Parts of the sheets in which the browser checks something. */

/** `empty`: there is nothing to check yet. */
export type Tone = 'done' | 'fault' | 'unknown' | 'empty'

/** Red is for prices elsewhere; here it says that two sources contradict each other, or that money is missing. */
const SIGNS: Record<Tone, ReactNode> = {
  done: (
    <Ripples spreads className="h-24 w-42">
      <ProofSeal className="size-14" />
    </Ripples>
  ),
  fault: <Icon name="circle-alert" className="size-12 text-down" />,
  unknown: <Icon name="triangle-alert" className="size-12 text-warn" />,
  empty: <Icon name="circle-dashed" className="size-12 text-muted" />,
}

/** The outcome of a check in a sign, a title and a sentence. */
export function Note({ tone, title, text }: { tone: Tone; title: string; text: ReactNode }) {
  return (
    <>
      {SIGNS[tone]}
      <p className={cx('mt-3 text-section', tone === 'fault' && 'text-down')}>{title}</p>
      <p className="mt-1 text-secondary text-muted">{text}</p>
    </>
  )
}

/** Sentences on what a check proves, or does not. */
export function Points({ title, icon, points }: { title: string; icon: IconName; points: readonly string[] }) {
  return (
    <section aria-label={title}>
      <h3 className="text-section">{title}</h3>
      <ul className="mt-2 flex flex-col gap-2 text-secondary text-muted">
        {points.map((point) => (
          <li key={point} className="flex gap-2">
            <Icon name={icon} className="size-4" />
            <span>{point}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
