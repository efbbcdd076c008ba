/**
 * What a path's reader lets through of its query. The router's `useSearch` answers besides whatever else the query holds,
 * so also, as it stands there, what the reader has left out because it makes no sense.
 *
 * @example readSearch(readDraft, Route.useSearch())
 */
export function readSearch<Read>(read: (search: Record<string, unknown>) => Read, search: object): Read {
  return read({ ...search })
}
