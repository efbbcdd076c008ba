import { cx } from '@clearwell/ui/browser/cx.ts'

/**
 * A box as a drawing that decorates the words beside it. A drop of water seals it; open, light comes out.
 *
 * @param seals lets the drop fall onto the box once, for a box that was clicked just now.
 * @param opens lets the lid rise once, for a result that is seen for the first time. Nothing waits for it, and under
 * reduced motion the box is open from the start.
 */
export function BoxArt({
  state,
  seals = false,
  opens = false,
  className,
}: {
  state: 'waiting' | 'sealed' | 'open'
  seals?: boolean
  opens?: boolean
  className?: string
}) {
  const isOpen = state === 'open'
  return (
    <svg
      viewBox="0 0 96 96"
      aria-hidden="true"
      className={cx('shrink-0 overflow-visible text-accent', className ?? 'size-24')}
    >
      <g fill="none" stroke="currentColor" strokeWidth="2.5" strokeLinejoin="round" strokeLinecap="round">
        <path d="M20 46v26l28 14 28-14V46L48 60Z" className="fill-surface" />
        <path d="M48 60v26" />
        {isOpen && (
          <>
            <path d="M20 46 48 32l28 14-28 14Z" className="fill-accent" fillOpacity="0.24" />
            <path
              d="M24 46 14 18h68L72 46 48 58Z"
              stroke="none"
              className={cx('fill-accent', opens && 'box-light')}
              fillOpacity="0.12"
            />
          </>
        )}
        <g className={cx(isOpen && (opens ? 'box-lid' : 'box-lid-open'))}>
          <path d="M16 36v9l32 16 32-16v-9" className="fill-surface" />
          <path d="M16 36 48 20l32 16-32 16Z" className="fill-surface" />
          <path d="M48 52v9" />
          {state === 'sealed' && (
            <path
              d="M48 28.5c2.6 3 4 4.7 4 6.4a4 4 0 0 1-8 0c0-1.7 1.4-3.4 4-6.4Z"
              fill="currentColor"
              stroke="none"
              className={cx(seals && 'box-seal')}
            />
          )}
          {state === 'waiting' && <ellipse cx="48" cy="36" rx="8" ry="4" strokeDasharray="3 4" />}
        </g>
      </g>
    </svg>
  )
}
