const KEY = 'clearwell.reloaded'
const WINDOW_MS = 10_000

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
