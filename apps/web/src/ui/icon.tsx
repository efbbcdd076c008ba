import { iconBodies } from '../generated/icons.ts'
import { cx } from './cx.ts'

export type IconName = keyof typeof iconBodies

/** An icon of the subset in icon-names.ts. It only decorates: the name of a control is its text or `aria-label`. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={cx('size-5 shrink-0', className)}
      aria-hidden="true"
      // The body comes from the icon set at build time, never from a user.
      dangerouslySetInnerHTML={{ __html: iconBodies[name] }}
    />
  )
}
