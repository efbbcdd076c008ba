import { useEffect, useRef, useState } from 'react'
import { cx } from '../browser/cx.ts'

/**
 * A figure whose digits roll in where they change, such as a total. Screen readers get the figure as one text.
 *
 * @param text the figure as it is read, such as `1,234.56`.
 * @param rollsIn rolls the first value in too, for an amount that just arrived.
 */
export function RollingNumber({
  text,
  rollsIn = false,
  className,
}: {
  text: string
  rollsIn?: boolean
  className?: string
}) {
  const isFirst = useRef(!rollsIn)
  useEffect(() => {
    isFirst.current = false
  }, [])
  return (
    <span className={cx('figures', className)}>
      <span className="sr-only">{text}</span>
      <span aria-hidden="true">
        {/* By place value: a digit that stays keeps its element, one that changes gets a new one. */}
        {[...text].map((digit, index) => (
          <Digit key={`${text.length - index} ${digit}`} digit={digit} rolls={!isFirst.current} />
        ))}
      </span>
    </span>
  )
}

function Digit({ digit, rolls }: { digit: string; rolls: boolean }) {
  // Decided when the digit appears: a class that comes later would start the motion again.
  const [isRolling] = useState(rolls)
  return <span className={isRolling ? 'roll whitespace-pre' : undefined}>{digit}</span>
}
