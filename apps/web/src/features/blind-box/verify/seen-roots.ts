import type { ResponseOf } from '@clearwell/api/routes'
import { stored } from '@clearwell/ui/browser/stored.ts'
import { sealedDay } from '../sealed-day.ts'

/** A root as this browser first saw it. */
interface SeenRoot {
  readonly root: string
  readonly seenAt: string
}

/**
 * The roots that this browser has seen, each with the time at which it saw it first. A verification compares them with what the
 * server publishes later: a root that was seen before its block leaves no choice.
 */
const roots = stored<SeenRoot>({
  key: 'clearwell.box.roots',
  scope: 'device',
  // Rewards expire after some weeks, so older notes are of no use.
  keep: 60,
  schema: (value) => (isSeenRoot(value) ? value : undefined),
})

/**
 * Notes roots that are new to this browser. The first root of a day stays, so that a changed one is found. The time is the later
 * one of this device and of the server: a device whose clock is behind must not accuse the server.
 */
export function noteRoots({ time, roots: published }: ResponseOf<'boxRoots'>, now: Date): void {
  const seenAt = new Date(Math.max(now.getTime(), Date.parse(time))).toISOString()
  // The newest day last: the oldest notes go first.
  for (const { day, boxes_root: root } of published.toSorted((one, other) => (one.day < other.day ? -1 : 1)))
    if (!roots.get(day)) roots.put(day, { root, seenAt })
  const sealed = sealedDay.get()
  // A later root ends the wait too: a void day may have none.
  if (sealed && published.some(({ day }) => day >= sealed)) sealedDay.set(undefined)
}

/** Notes that the box for a day is sealed. Nothing waits for a root that is noted already. */
export function noteSealedDay(day: string): void {
  if ((sealedDay.get() ?? '') < day && !roots.get(day)) sealedDay.set(day)
}

/** The root of a day as this browser saw it first. */
export function seenRoot(day: string): SeenRoot | undefined {
  return roots.get(day)
}

function isSeenRoot(value: unknown): value is SeenRoot {
  const { root, seenAt } = (value ?? {}) as Record<string, unknown>
  return typeof root === 'string' && typeof seenAt === 'string'
}
