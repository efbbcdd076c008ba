import type { ReactNode } from 'react'

/** A line of a list row: its start, and its end on the other side. The end wraps where both don't fit. */
export function Line({ start, end }: { start: ReactNode; end: ReactNode }) {
  return (
    <span className="figures flex flex-wrap items-baseline justify-between gap-x-3">
      {start}
      {end}
    </span>
  )
}
