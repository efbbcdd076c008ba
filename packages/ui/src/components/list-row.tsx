import type { ReactNode } from 'react'
import { cx } from '../browser/cx.ts'
import { Icon, type IconName } from '../icons/icon.tsx'

interface ListRowProps {
  readonly icon?: IconName
  /** At the start of the row in place of an icon: a token mark. */
  readonly mark?: ReactNode
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
export function ListRow({ icon, mark, title, detail, value, valueDetail, onClick, className }: ListRowProps) {
  const content = (
    <>
      {mark}
      {icon && (
        <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-input text-muted light:bg-line">
          <Icon name={icon} />
        </span>
      )}
      <span className="flex min-w-0 flex-1 flex-col max-magnified:basis-1/2">
        <span className="truncate">{title}</span>
        {detail && <span className="text-secondary text-muted">{detail}</span>}
      </span>
      {(value || valueDetail) && (
        <span className="figures flex shrink-0 flex-col max-magnified:shrink items-end text-end">
          {value && <span>{value}</span>}
          {valueDetail && <span className="text-secondary text-muted">{valueDetail}</span>}
        </span>
      )}
      {onClick && <Icon name="chevron-right" className="text-muted" />}
    </>
  )
  const look = cx('flex min-h-16 w-full items-center gap-3 py-2 text-start max-magnified:flex-wrap', className)
  if (!onClick) return <div className={look}>{content}</div>
  return (
    <button type="button" className={look} onClick={onClick}>
      {content}
    </button>
  )
}
