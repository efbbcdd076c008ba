import type { ReactNode } from 'react'
import { cx } from '../browser/cx.ts'

interface PartProps {
  readonly title?: string
  readonly action?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}

/**
 * An object on the ground: a form, an order, the hero of a screen. Lists are no objects: they are a `Section`. With a title
 * it is a named region.
 */
export function Card({ title, action, className, children }: PartProps) {
  return (
    <section
      aria-label={title}
      className={cx('rounded-card border border-transparent bg-surface p-4 light:border-line', className)}
    >
      <Head title={title} action={action} />
      {children}
    </section>
  )
}

/** A part of a screen on the ground, such as a list with dividers. With a title it is a named region. */
export function Section({ title, action, className, children }: PartProps) {
  return (
    <section aria-label={title} className={className}>
      <Head title={title} action={action} />
      {children}
    </section>
  )
}

function Head({ title, action }: { title: string | undefined; action: ReactNode }) {
  if (title === undefined && action === undefined) return null
  return (
    <header className="mb-2 flex flex-wrap items-center justify-between gap-x-3">
      <h2 className="text-section">{title}</h2>
      {action}
    </header>
  )
}
