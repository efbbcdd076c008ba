import type { ReactNode } from 'react'
import { cx } from '../browser/cx.ts'

/**
 * Something standing in water: concentric ripples under it. Only in the hero, the proof and a success, once per screen.
 *
 * @param spreads runs one more ring outwards, once.
 */
export function Ripples({
  spreads = false,
  className,
  children,
}: {
  spreads?: boolean
  className?: string
  children: ReactNode
}) {
  return (
    <span className={cx('relative flex h-32 w-56 max-w-full items-center justify-center', className)}>
      <svg
        aria-hidden="true"
        viewBox="0 0 224 128"
        fill="none"
        className="absolute inset-0 size-full overflow-visible stroke-accent"
      >
        <ellipse cx="112" cy="92" rx="36" ry="12" strokeWidth="1.5" opacity="0.6" />
        <ellipse cx="112" cy="92" rx="66" ry="22" opacity="0.35" />
        <ellipse cx="112" cy="92" rx="100" ry="33" opacity="0.15" />
        {spreads && <ellipse cx="112" cy="92" rx="100" ry="33" strokeWidth="2" className="ring" />}
      </svg>
      <span className="relative -mt-6">{children}</span>
    </span>
  )
}
