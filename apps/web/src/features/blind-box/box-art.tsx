import { cx } from '../../browser/cx.ts'

/**
 * A box as a drawing that decorates the words beside it. Closed it is sealed by a drop of water; open, light comes out.
 *
 * @param opens lets the lid rise once, for a result that is seen for the first time. Nothing waits for it, and under
 * reduced motion the box is open from the start.
 */
export function BoxArt({
  state,
  opens = false,
  className,
}: {
  state: 'waiting' | 'sealed' | 'open'
  opens?: boolean
  className?: string
}) {
  const isOpen = state === 'open'
  return (
    <svg viewBox="0 0 96 96" aria-hidden="true" className={cx('shrink-0 text-accent', className ?? 'size-24')}>
      {isOpen && <path d="M30 46 20 12h56L66 46Z" className={cx('fill-accent', opens && 'box-light')} opacity="0.16" />}
      <g fill="none" stroke="currentColor" strokeWidth="2.5" strokeLinejoin="round" strokeLinecap="round">
        <path d="M22 46v26c0 5 11.6 9 26 9s26-4 26-9V46" className="fill-surface" />
        <path d="M22 46c0 5 11.6 9 26 9s26-4 26-9" opacity={isOpen ? 1 : 0} />
        {isOpen && <ellipse cx="48" cy="46" rx="26" ry="9" className="fill-accent" fillOpacity="0.24" />}
        <g className={cx(isOpen && (opens ? 'box-lid' : 'box-lid-open'))}>
          <path d="M18 38v6c0 5.5 13.4 10 30 10s30-4.5 30-10v-6" className="fill-surface" />
          <ellipse cx="48" cy="38" rx="30" ry="10" className="fill-surface" />
          {state === 'sealed' && (
            <path
              d="M48 31c3 3.4 4.6 5.4 4.6 7.4a4.6 4.6 0 0 1-9.2 0c0-2 1.6-4 4.6-7.4Z"
              fill="currentColor"
              stroke="none"
            />
          )}
          {state === 'waiting' && <ellipse cx="48" cy="38" rx="8" ry="2.7" strokeDasharray="3 4" />}
        </g>
      </g>
    </svg>
  )
}
