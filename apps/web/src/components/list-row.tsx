import type { ReactNode } from 'react'
import { cx } from '../browser/cx.ts'
import { Icon, type IconName } from '../icons/icon.tsx'

interface ListRowProps {
  readonly icon?: IconName
  readonly title: ReactNode
  readonly detail?: ReactNode
  /** At the end of the row: a figure, a badge. */
  readonly value?: ReactNode
  /** Under `value`. */
  readonly valueDetail?: ReactNode
  readonly onClick?: () => void
  readonly className?: string
}

/** One row of a list: what it is at the start, its figure at the end. With `onClick` the whole row is a button. */
export function ListRow({ icon, title, detail, value, valueDetail, onClick, className }: ListRowProps) {
  const content = (
    <>
      {icon && <Icon name={icon} className="text-muted" />}
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="truncate">{title}</span>
        {detail && <span className="text-label text-muted">{detail}</span>}
      </span>
      {(value || valueDetail) && (
        <span className="figures flex shrink-0 flex-col items-end text-end">
          {value && <span>{value}</span>}
          {valueDetail && <span className="text-label text-muted">{valueDetail}</span>}
        </span>
      )}
      {onClick && <Icon name="chevron-right" className="text-muted" />}
    </>
  )
  const look = cx('flex min-h-14 w-full items-center gap-3 py-2 text-start', className)
  if (!onClick) return <div className={look}>{content}</div>
  return (
    <button type="button" className={look} onClick={onClick}>
      {content}
    </button>
  )
}
