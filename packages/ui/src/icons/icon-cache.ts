import { stored } from '../browser/stored.ts'

const EXPIRY_MS = 60 * 60_000
const LIMIT = 50

type Entries = Readonly<Record<string, { readonly body: string; readonly atMs: number }>>

/** The icons of the last hour. One value: home would read fifty otherwise. */
const icons = stored<Entries>({
  key: 'clearwell.icons',
  scope: 'device',
  schema: (value) => (typeof value === 'object' && value !== null ? (value as Entries) : undefined),
})

/** The icons kept on this device for an hour. A storage that is forbidden or full costs nothing but the request. */
export function cachedIcon(name: string, nowMs = Date.now()): string | undefined {
  const entries = read(nowMs)
  return Object.hasOwn(entries, name) ? entries[name]?.body : undefined
}

/** Keeps icons; over 50 the oldest go. */
export function cacheIcons(bodies: Readonly<Record<string, string>>, nowMs = Date.now()): void {
  const added = Object.entries(bodies).map(([name, body]) => [name, { body, atMs: nowMs }] as const)
  const entries = Object.entries({ ...read(nowMs), ...Object.fromEntries(added) })
  icons.set(Object.fromEntries(entries.sort(([, a], [, b]) => b.atMs - a.atMs).slice(0, LIMIT)))
}

function read(nowMs: number): Entries {
  return Object.fromEntries(Object.entries(icons.get() ?? {}).filter(([, entry]) => isFresh(entry, nowMs)))
}

/** A clock that was set back must not keep an icon for longer. */
function isFresh(entry: Partial<Entries[string]> | null, nowMs: number): boolean {
  return typeof entry?.atMs === 'number' && entry.atMs <= nowMs && nowMs - entry.atMs < EXPIRY_MS
}
