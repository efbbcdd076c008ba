import { cx } from './cx.ts'

/** Stands where something is loading, in the size it will have, so that nothing moves when it comes. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cx('block animate-pulse rounded-control bg-line', className)} />
}
