import { cx } from '../browser/cx.ts'

/**
 * Shown while something is loading, in the size it will have, so that nothing moves when it comes. It does not move itself:
 * each frame of a pulse takes the time that the page needs to become ready.
 */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cx('block rounded-control bg-line', className)} />
}
