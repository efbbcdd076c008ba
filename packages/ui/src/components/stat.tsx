import type { ReactNode } from 'react'
import { cx } from '../browser/cx.ts'

/** A quiet label over a number with digits of one width. */
export function Stat({
  label,
  value,
  detail,
  size = 'screen',
}: {
  label: ReactNode
  value: ReactNode
  detail?: ReactNode
  size?: 'body' | 'screen' | 'total'
}) {
  const sizes = { body: 'text-body', screen: 'text-screen', total: 'text-total' }
  return (
    <div className="flex min-w-0 flex-col">
      <span className="text-secondary text-muted">{label}</span>
      <span className={cx('figures [overflow-wrap:anywhere]', sizes[size])}>{value}</span>
      {detail && <span className="figures text-secondary text-muted">{detail}</span>}
    </div>
  )
}
