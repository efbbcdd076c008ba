const KEY = 'clearwell.reloaded'
const WINDOW_MS = 10_000

let blockers = 0
let waiting: (() => void)[] = []

/** Keeps the app from reloading the page until `work` ends: while something is signed, sent or paid. */
export async function blockReloadWhile<T>(work: Promise<T>): Promise<T> {
  blockers += 1
  try {
    return await work
  } finally {
    blockers -= 1
    if (blockers === 0) {
      for (const proceed of waiting) proceed()
      waiting = []
    }
  }
}

/** Resolves once nothing is being signed, sent or paid. */
export async function reloadUnblocked(): Promise<void> {
  while (blockers > 0) await new Promise<void>((resolve) => waiting.push(resolve))
}

/** Returns whether something is being signed, sent or paid. */
export function isReloadBlocked(): boolean {
  return blockers > 0
}

/** Reloads the page. A separate function, so that a test can watch it. */
export function reloadPage(): void {
  location.reload()
}

/**
 * Returns whether the app may reload a path to repair itself: at most once per path within 10 s. An allowed reload is
 * recorded.
 */
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
