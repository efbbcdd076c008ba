import { createStore } from '../ui/store.ts'
import { mayReload } from './reload-guard.ts'

/** Whether, when a chunk was missing last, the server was not to be reached at all. */
export const serverAwayStore = createStore(false)

/**
 * A lazily loaded chunk that is gone (a newer build was installed) is cured by a full reload: at most once per path
 * within 10 s, so that a chunk that stays away shows the error page instead of reloading for ever. Where it is the server
 * that is away, a reload would leave nothing but the browser's own error page, so nothing is reloaded.
 */
export function reloadOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // The router would reload once by itself, without looking at the time: it is told that it has.
    sessionStorage.setItem(`tanstack_router_reload:${event.payload.message}`, '1')
    void reloadWhereServed()
  })
}

async function reloadWhereServed(): Promise<void> {
  const path = location.hash
  const isServed = await fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
  serverAwayStore.set(!isServed)
  if (isServed && location.hash === path && mayReload(sessionStorage, path, Date.now())) location.reload()
}
