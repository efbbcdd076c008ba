import type { ComponentProps } from 'react'
import { cx } from '../browser/cx.ts'
import { Icon, type IconName } from '../icons/icon.tsx'

export interface ButtonProps extends ComponentProps<'button'> {
  /** `main` is the one thing to do here, `quiet` any other, `danger` what cannot be taken back. */
  readonly look?: ButtonLook
  readonly icon?: IconName
  /** Shows that the action is in progress and ignores presses; the button keeps its focus and its size. */
  readonly busy?: boolean
}

export type ButtonLook = 'main' | 'quiet' | 'danger'

const LOOKS: Record<ButtonLook, string> = {
  main: 'bg-accent text-on-accent not-aria-disabled:hover:brightness-110',
  quiet: 'border border-line text-text not-aria-disabled:hover:border-accent',
  danger: 'border border-down/70 text-down not-aria-disabled:hover:bg-down/10',
}

/** How a button looks, for the few links that look like one. */
export function buttonClass(look: ButtonLook = 'main'): string {
  return cx(
    'inline-flex min-h-11 items-center justify-center gap-2 rounded-control px-4 py-2 max-[374px]:px-3 text-center font-semibold',
    'transition-[filter,background-color,border-color] duration-press',
    'disabled:opacity-45 aria-disabled:cursor-default',
    LOOKS[look],
  )
}

export function Button({ look = 'main', icon, busy = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(buttonClass(look), className)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? undefined : onClick}
    >
      {busy ? <Icon name="loader-circle" className="animate-spin" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}
