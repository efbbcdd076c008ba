import { useEffect } from 'react'

/** Loads parts in an idle moment, so that the first press on each opens it at once, also where there is no network then. */
export function usePreloaded(parts: readonly { preload: () => Promise<void> }[]): void {
  useEffect(() => {
    // Without a network it is left for the press: then a failure is told.
    const load = () => Promise.allSettled(navigator.onLine ? parts.map(({ preload }) => preload()) : [])
    if ('requestIdleCallback' in window) {
      const idle = requestIdleCallback(load, { timeout: 2_000 })
      return () => cancelIdleCallback(idle)
    }
    const timer = setTimeout(load, 200)
    return () => clearTimeout(timer)
  }, [parts])
}
