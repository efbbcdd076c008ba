import type { PayloadInput, ResponseOf } from '@clearwell/api/routes'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type CallName, calls } from '../generated/calls.ts'
import { type CommandName, call } from './client.ts'
import { goLive } from './go-live.ts'
import { useSignedIn } from './session-store.ts'

interface UseCallOptions<Data, Selected> {
  /** Polls while the page is seen. */
  readonly refetchInterval?: number | false
  readonly staleTime?: number
  /** How long the response is kept once no screen shows it, in milliseconds. */
  readonly gcTime?: number
  readonly enabled?: boolean
  readonly select?: (data: Data) => Selected
}

/**
 * Reads through a call of the table and caches the response under the key `[name, payload]`.
 * A call that needs a session waits until there is one.
 */
export function useCall<Name extends Exclude<CallName, CommandName>, Selected = ResponseOf<Name>>(
  name: Name,
  payload: PayloadInput<Name>,
  { enabled = true, ...options }: UseCallOptions<ResponseOf<Name>, Selected> = {},
): UseQueryResult<Selected> {
  const signedIn = useSignedIn()
  const polls = Boolean(options.refetchInterval)
  useEffect(() => {
    if (polls) goLive()
  }, [polls])
  return useQuery({
    queryKey: [name, payload],
    queryFn: ({ signal }) => call(name, payload, { signal }),
    enabled: enabled && (signedIn || calls[name].isOpen === true),
    ...options,
  })
}
