const KEY = 'clearwell.icons'
const EXPIRY_MS = 60 * 60_000
const LIMIT = 50

type Entries = Record<string, { body: string; atMs: number }>

/** The icons kept on this device for an hour. A storage that is forbidden or full costs nothing but the request. */
export function cachedIcon(name: string, nowMs = Date.now()): string | undefined {
  const entries = read(nowMs)
  return Object.hasOwn(entries, name) ? entries[name]?.body : undefined
}

/** Keeps icons; over 50 the oldest go. */
export function cacheIcons(bodies: Readonly<Record<string, string>>, nowMs = Date.now()): void {
  const entries = read(nowMs)
  for (const [name, body] of Object.entries(bodies)) entries[name] = { body, atMs: nowMs }
  const kept = Object.entries(entries)
    .sort(([, a], [, b]) => b.atMs - a.atMs)
    .slice(0, LIMIT)
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)))
  } catch {
    // Nothing is lost: the icons are requested again.
  }
}

function read(nowMs: number): Entries {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Entries
    return Object.fromEntries(Object.entries(stored).filter(([, { atMs }]) => isFresh(atMs, nowMs)))
  } catch {
    return {}
  }
}

/** A clock that was set back must not keep an icon for longer. */
function isFresh(atMs: number, nowMs: number): boolean {
  return atMs <= nowMs && nowMs - atMs < EXPIRY_MS
}
