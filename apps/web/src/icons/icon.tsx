import { cx } from '../browser/cx.ts'
import type { IconName } from './icon-names.ts'
import { useIconBody } from './use-icon-body.ts'

export type { IconName }

/**
 * An icon of icon-names.ts. It only decorates: the name of a control is its text or `aria-label`. One that the icon
 * service has not answered yet is an empty box of the same size, with a faint ground from 0.2 s to 1.5 s.
 */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  const { body, waiting } = useIconBody(name)
  return (
    <svg
      viewBox="0 0 24 24"
      className={cx(
        'size-5 shrink-0',
        waiting && 'rounded-control bg-line transition-colors delay-200 starting:bg-transparent',
        className,
      )}
      aria-hidden="true"
      // From the icon set at build time, or from our own service and let through only as shapes; never from a user.
      dangerouslySetInnerHTML={{ __html: body ?? '' }}
    />
  )
}
