import type { ComponentProps } from 'react'
import { cx } from '../browser/cx.ts'
import { Icon, type IconName } from '../icons/icon.tsx'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  readonly icon: IconName
  /** Describes the action for screen readers. */
  readonly label: string
}

/** A button that is only an icon: 44 by 44 px to tap. */
export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={cx(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-control text-muted hover:text-text',
        className,
      )}
    >
      <Icon name={icon} />
    </button>
  )
}
