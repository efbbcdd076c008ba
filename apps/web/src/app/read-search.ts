import { useSearch } from '@tanstack/react-router'

/**
 * The valid part of the query of the screen's path. The router's own `useSearch` also returns values that the reader
 * leaves out.
 *
 * @example const draft = useReadSearch(readDraft)
 */
export function useReadSearch<Read>(read: (search: Record<string, unknown>) => Read): Read {
  return read({ ...useSearch({ strict: false }) })
}
