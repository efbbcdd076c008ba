import type { ReactNode } from 'react'
import { cx } from '../browser/cx.ts'

/** A quiet label over a number with digits of one width. */
export function Stat({
  label,
  value,
  detail,
  size = 'screen',
  isAligned = false,
}: {
  label: ReactNode
  value: ReactNode
  detail?: ReactNode
  size?: 'body' | 'screen' | 'total'
  /** In a grid without row gaps: labels, numbers and details of a row are each on one line, however long a label is. */
  isAligned?: boolean
}) {
  const sizes = { body: 'text-body', screen: 'text-screen', total: 'text-total' }
  return (
    <div className={cx('min-w-0', isAligned ? 'row-span-3 grid grid-rows-subgrid pb-4' : 'flex flex-col')}>
      <span className="text-secondary text-muted">{label}</span>
      <span className={cx('figures [overflow-wrap:anywhere]', sizes[size])}>{value}</span>
      {detail && <span className="figures text-secondary text-muted">{detail}</span>}
    </div>
  )
}
