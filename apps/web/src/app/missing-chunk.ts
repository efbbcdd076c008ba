import { mayReload } from '../browser/page-reload.ts'
import { createStore } from '../browser/store.ts'
import { isLoadingPart } from '../components/lazy-part.tsx'

/** True if the server was unreachable when a chunk was last missing. */
export const serverAwayStore = createStore(false)

/**
 * A lazily loaded chunk that is gone (a newer build was installed) is cured by a full reload: at most once per path
 * within 10 s, so that a chunk that stays away shows the error page instead of reloading for ever. Where it is the server
 * that is away, a reload would leave nothing but the browser's own error page, so nothing is reloaded; nor where a sheet
 * came to nothing by the network alone, since what was typed would be gone.
 */
export function reloadOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', ({ payload: { message } }) => {
    // The router would reload once on its own, without a time limit: this marks its reload as done.
    sessionStorage.setItem(`tanstack_router_reload:${message}`, '1')
    void reloadIfOfUse(isLoadingPart() ? chunkOf(message) : undefined)
  })
}

/** @param part the chunk of a part of a screen; `undefined` for a screen's own, and where the browser does not name it. */
async function reloadIfOfUse(part: string | undefined): Promise<void> {
  const path = location.hash
  const answer = await fetch(part ?? '/', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  const isServed = answer?.ok === true
  if (part === undefined) serverAwayStore.set(!isServed)
  const isOfUse = part === undefined ? isServed : answer?.status === 404
  if (isOfUse && location.hash === path && mayReload(sessionStorage, path, Date.now())) location.reload()
}

function chunkOf(message: string): string | undefined {
  return /\S*\/assets\/[\w.-]+/.exec(message)?.[0]
}
