/** Where a page of a list that is ordered by time and id goes on. */
export interface Cursor {
  readonly at: Date
  readonly id: string
}

/**
 * The condition on the rows after a cursor: columns `created_at` and `id`, newest first. Its parameters are those of
 * {@link cursorParams}. One comparison without an alternative, so an index finds any page of a list immediately.
 */
export function olderThan(at: string, id: string): string {
  return `(created_at, id) < (${at}::timestamptz, ${id}::text)`
}

/** Without a cursor the first page starts before everything. */
export function cursorParams(after: Cursor | undefined): readonly [Date | 'infinity', string] {
  return after ? [after.at, after.id] : ['infinity', '']
}
