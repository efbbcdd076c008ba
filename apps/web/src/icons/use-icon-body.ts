import { useEffect, useState, useSyncExternalStore } from 'react'
import { iconBodyStore } from './icon-bodies.ts'
import type { IconName } from './icon-names.ts'

/**
 * What to draw for an icon, asked of the icon service where it is not at hand; asked again when the device comes back
 * online. `waiting` ends after 1.5 s; what comes later is drawn when it comes.
 */
export function useIconBody(name: IconName): { body: string | undefined; waiting: boolean } {
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
