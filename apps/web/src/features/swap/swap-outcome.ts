import type { Answer } from '@clearwell/api/routes'

/** What asking for a swap by its key has come to; `times` is how often the server said that it knows of none. */
export interface StatusSeen {
  readonly found: Answer<'getOrderStatus'> | undefined
  readonly times: number
}

/**
 * What is known of a swap whose answer was lost. `checking` is asked about again; `not_found` means that nothing
 * happened.
 */
export type SwapOutcome = 'checking' | 'completed' | 'failed' | 'not_found'

/** So often in a row it must not be found: a request may still have been on its way when its page was closed. */
const NOT_FOUND_TIMES = 3

export function outcomeOf(seen: StatusSeen | undefined): SwapOutcome {
  if (seen?.found === undefined) return (seen?.times ?? 0) >= NOT_FOUND_TIMES ? 'not_found' : 'checking'
  return seen.found.status === 'pending' ? 'checking' : seen.found.status
}
