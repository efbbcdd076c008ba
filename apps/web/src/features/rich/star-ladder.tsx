import { cx } from '@clearwell/ui/browser/cx.ts'
import { useId } from 'react'

const STAR = 'M12 2.6l2.85 5.9 6.5.86-4.76 4.5 1.2 6.44L12 17.2l-5.79 3.1 1.2-6.44-4.76-4.5 6.5-.86z'

/**
 * A star of the ladder: reached, filling up to a share of it, ready to be requested (hollow), or still to come. It decorates; words say
 * the level.
 */
export function StarShape({
  filled,
  isReady = false,
  className,
}: {
  filled: number
  isReady?: boolean
  className?: string
}) {
  const id = useId()
  const isPart = filled > 0 && filled < 1
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={className}>
      {isPart && (
        <clipPath id={id}>
          <rect width={24 * filled} height={24} />
        </clipPath>
      )}
      <path
        d={STAR}
        strokeWidth="1.5"
        strokeLinejoin="round"
        className={isReady ? 'fill-transparent stroke-accent' : 'fill-line stroke-line'}
      />
      {filled > 0 && (
        <path
          d={STAR}
          strokeWidth="1.5"
          strokeLinejoin="round"
          clipPath={isPart ? `url(#${id})` : undefined}
          className={cx('fill-accent stroke-accent', isPart && 'opacity-60')}
        />
      )}
    </svg>
  )
}

/**
 * All stars in a row: those that one has are lit, and the next one fills with the deposit towards it.
 *
 * @param progress the share of the next star's deposit, as a fraction for drawing.
 */
export function StarLadder({ star, top, progress }: { star: number; top: number; progress: number }) {
  return (
    <div aria-hidden="true" className="flex justify-between gap-1">
      {Array.from({ length: top }, (_, index) => (
        <StarShape
          key={index}
          filled={index < star ? 1 : index === star && progress < 1 ? Math.max(0, progress) : 0}
          isReady={index === star && progress >= 1}
          className="h-auto max-w-8 min-w-0 flex-1"
        />
      ))}
    </div>
  )
}
