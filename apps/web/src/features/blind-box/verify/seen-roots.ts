import type { ResponseOf } from '@clearwell/api/routes'
import type { SeenRoot } from './box-evidence.ts'

/**
 * The roots that this browser has seen, each with the time at which it saw it first. A verification compares them with what the
 * server publishes later: a root that was seen before its block leaves no choice.
 */
const KEY = 'clearwell.box.roots'
/** Rewards expire after some weeks, so older notes are of no use. */
const MAX_NOTES = 60

type SeenRoots = Readonly<Record<string, SeenRoot>>

/**
 * Notes roots that are new to this browser. The first root of a day stays, so that a changed one is found. The time is the later
 * one of this device and of the server: a device whose clock is behind must not accuse the server.
 */
export function noteRoots({ time, roots }: ResponseOf<'boxRoots'>, now: Date): void {
  const seenAt = new Date(Math.max(now.getTime(), Date.parse(time))).toISOString()
  const known = readRoots()
  const fresh = roots.filter(({ day }) => known[day] === undefined)
  if (fresh.length === 0) return
  const added = fresh.map(({ day, boxes_root: root }) => [day, { root, seenAt }] as const)
  const all = [...Object.entries(known), ...added].toSorted(([one], [other]) => (one < other ? 1 : -1))
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(all.slice(0, MAX_NOTES))))
  } catch {
    // A verification works without a note too, and says less.
  }
}

/** The root of a day as this browser saw it first. */
export function seenRoot(day: string): SeenRoot | undefined {
  return readRoots()[day]
}

function readRoots(): SeenRoots {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(Object.entries(stored).filter(([, value]) => isSeenRoot(value)))
  } catch {
    return {}
  }
}

function isSeenRoot(value: unknown): value is SeenRoot {
  const { root, seenAt } = (value ?? {}) as Record<string, unknown>
  return typeof root === 'string' && typeof seenAt === 'string'
}
