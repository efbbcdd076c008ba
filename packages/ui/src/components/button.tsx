import type { ComponentProps } from 'react'
import { cx } from '../browser/cx.ts'
import { Icon, type IconName } from '../icons/icon.tsx'

export interface ButtonProps extends ComponentProps<'button'> {
  /**
   * `main` is the one thing to do here, `quiet` any other, `danger` an action that cannot be undone. `idle` names what is
   * missing: a press leads to it, but nothing can be done yet.
   */
  readonly look?: ButtonLook
  /** `small` is 44 px high, for an action beside a title or within a row. */
  readonly size?: ButtonSize
  readonly icon?: IconName
  /** Shows that the action is in progress and ignores presses; the button keeps its focus and its size. */
  readonly busy?: boolean
}

export type ButtonLook = 'main' | 'quiet' | 'danger' | 'idle'
type ButtonSize = 'normal' | 'small'

const LOOKS: Record<ButtonLook, string> = {
  main: 'bg-accent font-semibold text-on-accent not-aria-disabled:hover:brightness-110',
  quiet:
    'bg-input font-semibold text-text not-aria-disabled:hover:bg-line light:bg-accent/24 light:not-aria-disabled:hover:bg-accent/32',
  // An outline: next to buttons that can be pressed, a grey fill looks like one of them.
  idle: 'border border-line bg-ground text-muted not-aria-disabled:hover:text-text',
  danger: 'bg-input font-semibold text-warn not-aria-disabled:hover:bg-line light:bg-warn/12',
}

const SIZES: Record<ButtonSize, string> = {
  normal: 'min-h-13 px-4 max-narrow:px-3',
  small: 'min-h-11 px-3',
}

/** How a button looks, for the few links that look like one. */
export function buttonClass(look: ButtonLook = 'main', size: ButtonSize = 'normal'): string {
  return cx(
    'inline-flex items-center justify-center gap-2 rounded-control py-2 text-center',
    'transition-transform not-disabled:not-aria-disabled:active:scale-98',
    'disabled:opacity-45 aria-disabled:cursor-default',
    SIZES[size],
    LOOKS[look],
  )
}

export function Button({
  look = 'main',
  size = 'normal',
  icon,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(buttonClass(look, size), className)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? undefined : onClick}
    >
      {busy ? <Icon name="loader-circle" className="animate-spin" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}
