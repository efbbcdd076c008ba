import type { PayloadInput, ResponseOf } from '@clearwell/api/routes'
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { type CallName, calls } from '../generated/calls.ts'
import { call } from './client.ts'
import { useSignedIn } from './session-store.ts'

/** Calls that return a list, page by page. */
export type ListRouteName = {
  [Name in CallName]: ResponseOf<Name> extends List ? Name : never
}[CallName]
export type ListItem<Name extends ListRouteName> = ResponseOf<Name>['items'][number]

interface List {
  items: unknown[]
  next_cursor: string | null
}

/**
 * Reads a list that goes on as one scrolls: `data` is every item fetched so far, newest first, `fetchNextPage` goes on.
 * The pages stay in memory, so that going back finds the same place. `ListEnd` requests the next page automatically.
 */
export function useListCall<Name extends ListRouteName>(
  name: Name,
  payload: Omit<PayloadInput<Name>, 'cursor'>,
  { enabled = true, refetchInterval = false }: { enabled?: boolean; refetchInterval?: number | false } = {},
): UseInfiniteQueryResult<ListItem<Name>[]> {
  const signedIn = useSignedIn()
  return useInfiniteQuery({
    ...pagesOf(name, payload),
    select: ({ pages }) => pages.flatMap((page) => page.items as ListItem<Name>[]),
    enabled: enabled && (signedIn || calls[name].isOpen === true),
    refetchInterval,
  })
}

/** The last page that {@link useListCall} has read of a list. It requests nothing. */
export function useLastPage<Name extends ListRouteName>(
  name: Name,
  payload: Omit<PayloadInput<Name>, 'cursor'>,
): ResponseOf<Name> | undefined {
  const { data } = useInfiniteQuery({
    ...pagesOf(name, payload),
    select: ({ pages }) => pages.at(-1),
    enabled: false,
  })
  return data
}

function pagesOf<Name extends ListRouteName>(name: Name, payload: Omit<PayloadInput<Name>, 'cursor'>) {
  return {
    queryKey: [name, payload, 'pages'],
    queryFn: ({ pageParam: cursor, signal }: { pageParam: string | null; signal: AbortSignal }) =>
      call(name, { ...payload, ...(cursor === null ? {} : { cursor }) } as PayloadInput<Name>, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page: ResponseOf<Name>) => page.next_cursor,
  }
}
