import type { Answer, PayloadInput, RouteName } from '@clearwell/api/routes'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { calls } from '../generated/calls.ts'
import { type CommandName, call } from './client.ts'
import { goLive } from './go-live.ts'
import { useSignedIn } from './session-store.ts'

/** How often screens poll (specification §9). A poll stops while the page is hidden and resumes when it is seen again. */

/** The active status, until the account is activated. */
export const ACTIVE_STATUS_POLL_MS = 4_000
export const BALANCES_POLL_MS = 5_000
export const PAIRS_POLL_MS = 3_000
/** Screens request the quotes in view this long after the pairs have arrived. */
export const QUOTE_AFTER_PAIRS_MS = 500
/** The spot price on a market's screen. */
export const TICKER_POLL_MS = 1_500

interface UseCallOptions<Data, Selected> {
  /** Polls while the page is seen. */
  readonly refetchInterval?: number | false
  readonly staleTime?: number
  readonly enabled?: boolean
  readonly select?: (data: Data) => Selected
}

/**
 * Reads through a call of the table and keeps the answer under the key `[name, payload]`.
 * A call that needs a session waits until there is one.
 */
export function useCall<Name extends Exclude<RouteName, CommandName>, Selected = Answer<Name>>(
  name: Name,
  payload: PayloadInput<Name>,
  { enabled = true, ...options }: UseCallOptions<Answer<Name>, Selected> = {},
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
