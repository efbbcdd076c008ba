import type { Box, BoxRules } from '../blind-box.queries.ts'

/**
 * The facts that this browser saw at each click: the commitment of the day, and the level and streak of the box. A verification
 * compares them with what the server publishes later, so a change of either is found.
 */
export interface NotedClick {
  readonly boxId: string
  readonly commitment: string | null
  readonly level: number
  readonly streak: number
  readonly notedAt: string
}

const KEY = 'clearwell.box.clicks'
/** Rewards expire after 30 days, so older notes are of no use. */
const MAX_NOTES = 45

/** Stores a click of the day that `rules` describe. */
export function noteClick(box: Box, rules: BoxRules | undefined): void {
  const note: NotedClick = {
    boxId: box.box_id,
    commitment: rules?.day === box.day ? rules.commitment : null,
    level: box.level,
    streak: box.streak,
    notedAt: box.created_at,
  }
  const notes = [note, ...readNotes().filter(({ boxId }) => boxId !== box.box_id)].slice(0, MAX_NOTES)
  try {
    localStorage.setItem(KEY, JSON.stringify(notes))
  } catch {
    // A verification works without a note too, and says less.
  }
}

/** The note of a box; `undefined` on another device. */
export function notedClick(boxId: string): NotedClick | undefined {
  return readNotes().find((note) => note.boxId === boxId)
}

function readNotes(): NotedClick[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isNote) : []
  } catch {
    return []
  }
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
