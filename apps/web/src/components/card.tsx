import type { ReactNode } from 'react'
import { cx } from '../browser/cx.ts'

/** A glass-like card with one hairline. With a title it is a named region. */
export function Card({
  title,
  action,
  className,
  children,
}: {
  title?: string
  action?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <section aria-label={title} className={cx('rounded-card border border-line bg-surface p-4', className)}>
      {title === undefined && action === undefined ? null : (
        <header className="mb-3 flex flex-wrap items-center justify-between gap-x-3">
          <h2 className="text-section">{title}</h2>
          {action}
        </header>
      )}
      {children}
    </section>
  )
}
