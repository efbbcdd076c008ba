const KEY = 'clearwell.reloaded'
const WINDOW_MS = 10_000

/**
 * A lazily loaded chunk that is gone (a newer build was installed) is cured by a full reload: at most once per path
 * within 10 s, so that a chunk that stays away shows the error page instead of reloading for ever.
 */
export function reloadOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (!mayReload(sessionStorage, location.hash, Date.now())) return
    event.preventDefault()
    location.reload()
  })
}

export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, path: string, nowMs: number): boolean {
  const last = JSON.parse(storage.getItem(KEY) ?? 'null') as { path: string; atMs: number } | null
  if (last?.path === path && nowMs - last.atMs < WINDOW_MS) return false
  storage.setItem(KEY, JSON.stringify({ path, atMs: nowMs }))
  return true
}
