import { useEffect, useState, useSyncExternalStore } from 'react'
import { cx } from '../browser/cx.ts'
import type { IconName } from '../generated/icon-names.ts'
import { iconBodyStore } from './icon-bodies.ts'

export type { IconName }

/**
 * An icon of the Lucide set. It only decorates: the name of a control is its text or `aria-label`. One that the icon
 * service has not answered yet is an empty box of the same size, with a faint ground from 0.2 s to 1.5 s.
 */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  const { body, waiting } = useIconBody(name)
  return (
    <svg
      viewBox="0 0 24 24"
      className={cx(
        'icon size-5 shrink-0',
        waiting && 'rounded-control bg-line transition-opacity delay-200 starting:opacity-0',
        className,
      )}
      aria-hidden="true"
      // From the icon set at build time, or from our own service and let through only as shapes; never from a user.
      dangerouslySetInnerHTML={{ __html: body ?? '' }}
    />
  )
}

/**
 * The shapes of an icon, requested from the icon service if it is not here, and again when the device is back online.
 * `waiting` ends after 1.5 s; a later icon shows when it arrives.
 */
export function useIconBody(name: IconName | `token:${string}`): { body: string | undefined; waiting: boolean } {
  const readBody = () => iconBodyStore.get()[name]
  // The same for the prerendered home, which is rendered where there is no browser.
  const body = useSyncExternalStore(iconBodyStore.subscribe, readBody, readBody)
  const [gaveUp, setGaveUp] = useState(false)
  useEffect(() => {
    if (body !== undefined) return
    const ask = () => {
      import('./icon-loader.ts')
        .then(({ loadIcon }) => loadIcon(name))
        .catch(() => {})
        .finally(() => setGaveUp(true))
    }
    ask()
    window.addEventListener('online', ask)
    return () => window.removeEventListener('online', ask)
  }, [name, body])
  return { body, waiting: body === undefined && !gaveUp }
}
