import { stored } from '@clearwell/ui/browser/stored.ts'
import type { Box, BoxRules } from '../blind-box.queries.ts'

/**
 * The facts that this browser saw at each click: the day's commitment, and the level and streak of the box. A verification
 * compares them with what the server publishes later, so a change of either is found.
 */
export interface NotedClick {
  readonly boxId: string
  readonly commitment: string | null
  readonly level: number
  readonly streak: number
  readonly notedAt: string
}

/** The latest clicks, as this browser saw them. */
const notes = stored<NotedClick>({
  key: 'clearwell.box.clicks',
  scope: 'device',
  // Rewards expire after 30 days, so older notes are of no use.
  keep: 45,
  schema: (value) => (isNote(value) ? value : undefined),
})

/** Stores a click of the day that `rules` describe. */
export function noteClick(box: Box, rules: BoxRules | undefined): void {
  notes.put(box.box_id, {
    boxId: box.box_id,
    commitment: rules?.day === box.day ? rules.commitment : null,
    level: box.level,
    streak: box.streak,
    notedAt: box.created_at,
  })
}

/** The note of a box; `undefined` on another device. */
export function notedClick(boxId: string): NotedClick | undefined {
  return notes.get(boxId)
}

function isNote(value: unknown): value is NotedClick {
  const { boxId, commitment, level, streak } = (value ?? {}) as Record<string, unknown>
  return (
    typeof boxId === 'string' &&
    (commitment === null || typeof commitment === 'string') &&
    typeof level === 'number' &&
    typeof streak === 'number'
  )
}
