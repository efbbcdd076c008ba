import { createStore } from '@clearwell/ui/browser/store.ts'
import { isLoadingPart } from '@clearwell/ui/components/lazy-part.tsx'
import { mayReload, reloadUnblocked } from '../browser/page-reload.ts'

/** True if the server was unreachable when a chunk was last missing. */
export const serverAwayStore = createStore(false)

/**
 * A chunk that fails to load, of a screen or of a sheet, forces a full reload: at most once per path within 10 s
 * (specification §8). The reload waits for a payment in progress. While the server is away nothing is reloaded, since the
 * browser could only show its own error page.
 */
export function reloadOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', ({ payload: { message } }) => {
    // The router would reload once on its own, without a time limit: this marks its reload as done.
    sessionStorage.setItem(`tanstack_router_reload:${message}`, '1')
    void reloadWherePossible({ isPart: isLoadingPart() })
  })
}

/** Reloads the page where the server responds, once no payment is in progress: the app then asks for the code again. */
export async function reloadOnceServed(): Promise<void> {
  if (!(await isServed())) return
  await reloadUnblocked()
  location.reload()
}

async function isServed(): Promise<boolean> {
  const response = await fetch('/', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  return response?.ok === true
}

/** @param isPart whether the chunk is of a part of a screen, which reports its own failure. */
async function reloadWherePossible({ isPart }: { isPart: boolean }): Promise<void> {
  const path = location.hash
  const isThere = await isServed()
  if (!isPart) serverAwayStore.set(!isThere)
  if (!isThere) return
  await reloadUnblocked()
  if (location.hash === path && mayReload(sessionStorage, path, Date.now())) location.reload()
}
