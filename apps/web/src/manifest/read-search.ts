import { useSearch } from '@tanstack/react-router'

/**
 * The valid part of the query of the screen's path. The route only types the query, because its reader would come with
 * home's code.
 *
 * @example const draft = useReadSearch(readDraft)
 */
export function useReadSearch<Read>(read: (search: Record<string, unknown>) => Read): Read {
  return read({ ...useSearch({ strict: false }) })
}
