import type { EntryKind } from '@clearwell/api/parts'
import { ENTRY_KINDS } from '../../generated/entry-kinds.ts'
import { ACTIVITY_PARTS, type ActivityPart, words } from '../../manifest/words.ts'

export function isActivityPart(value: unknown): value is ActivityPart {
  return ACTIVITY_PARTS.includes(value as ActivityPart)
}

/** The kinds of entry of a part, as the features name them; of the whole activity `undefined`. */
export function kindsOf(part: ActivityPart | undefined): readonly EntryKind[] | undefined {
  if (part === undefined) return undefined
  const { entries } = words()
  return ENTRY_KINDS.filter((kind) => entries[kind].part === part)
}
