import type { Cursor } from '../database/page.ts'
import { invalidField } from '../ledger/refuse.ts'

export const DEFAULT_PAGE = 20

/** Milliseconds in base 36 and the id: short enough for the API's cursor field with the longest id. */
export function encodeCursor({ at, id }: Cursor): string {
  return `${at.getTime().toString(36)}-${id}`
}

/** @throws Refusal `invalid_input` for a text that no page of ours ended with. */
export function decodeCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  // Nine digits reach into the year 5188; the database cannot read times after the year 9999.
  const match = /^([0-9a-z]{1,9})-([\w-]{1,80})$/.exec(text)
  if (!match) throw invalidField('cursor', 'not a cursor of this list')
  return { at: new Date(Number.parseInt(match[1] as string, 36)), id: match[2] as string }
}

/**
 * Reads the cursor of a list that is ordered by a number.
 *
 * @throws Refusal `invalid_input` for a text that no page of ours ended with.
 */
export function decodeNumber(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,18}$/.test(text)) throw invalidField('cursor', 'not a cursor of this list')
  return BigInt(text)
}

/** Makes a page of rows that were asked for with one more than the limit. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  toCursor: (row: Row) => string,
): { items: Item[]; next_cursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(toItem),
    next_cursor: rows.length > limit && last !== undefined ? toCursor(last) : null,
  }
}
