import type { ReactNode } from 'react'
import { cx } from '../browser/cx.ts'

/** A quiet label over a number with digits of one width. */
export function Stat({
  label,
  value,
  detail,
  size = 'figure',
}: {
  label: ReactNode
  value: ReactNode
  detail?: ReactNode
  size?: 'body' | 'figure' | 'display'
}) {
  const sizes = { body: 'text-body', figure: 'text-figure', display: 'text-display' }
  return (
    <div className="flex min-w-0 flex-col">
      <span className="text-label text-muted">{label}</span>
      <span className={cx('figures [overflow-wrap:anywhere]', sizes[size])}>{value}</span>
      {detail && <span className="figures text-label text-muted">{detail}</span>}
    </div>
  )
}
