const KEY = 'clearwell.reloaded'
const WINDOW_MS = 10_000

/**
 * A lazily loaded chunk that is gone (a newer build was installed) is cured by a full reload: at most once per path
 * within 10 s, so that a chunk that stays away shows the error page instead of reloading for ever. Where it is the server
 * that is away, a reload would leave nothing but the browser's own error page, so nothing is reloaded.
 */
export function reloadOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // The router would reload once by itself, without looking at the time: it is told that it has.
    sessionStorage.setItem(`tanstack_router_reload:${event.payload.message}`, '1')
    if (navigator.onLine) void reloadWhereServed()
  })
}

async function reloadWhereServed(): Promise<void> {
  const path = location.hash
  const isServed = await fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (isServed && location.hash === path && mayReload(sessionStorage, path, Date.now())) location.reload()
}

/** Whether a path may be reloaded now; the reload that is allowed is remembered. */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, path: string, nowMs: number): boolean {
  const reloads = Object.entries(readReloads(storage)).filter(([, atMs]) => nowMs - atMs < WINDOW_MS)
  if (reloads.some(([reloaded]) => reloaded === path)) return false
  storage.setItem(KEY, JSON.stringify(Object.fromEntries([...reloads, [path, nowMs]])))
  return true
}

function readReloads(storage: Pick<Storage, 'getItem'>): Record<string, number> {
  try {
    return JSON.parse(storage.getItem(KEY) ?? '{}')
  } catch {
    return {}
  }
}
