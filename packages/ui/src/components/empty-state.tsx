import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icons/icon.tsx'

/** Nothing here yet: says what will be here, and offers what to do about it. */
export function EmptyState({
  icon,
  title,
  text,
  action,
}: {
  icon: IconName
  title: string
  text?: string
  action?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-8 text-center text-phrases">
      <span className="rounded-full bg-input p-4 text-muted light:bg-line">
        <Icon name={icon} className="size-7" />
      </span>
      <p className="mt-2 text-section">{title}</p>
      {text && <p className="text-muted">{text}</p>}
      {action && <div className="mt-2 grid min-w-40">{action}</div>}
    </div>
  )
}
