import type { Answer } from '@clearwell/api/routes'

/** What asking for a swap by its key has come to. */
export interface StatusSeen {
  readonly found: Answer<'getOrderStatus'> | undefined
  /** How often the server said that it knows of none. */
  readonly times: number
  /** The server's time at the least when it was last asked, in milliseconds; absent where that is not known. */
  readonly askedAtMs?: number | undefined
}

/**
 * What is known of a swap whose answer was lost. `checking` is asked about again at once. `not_yet`: the server knows of
 * none so far, but until the deadline the request may still arrive. `never`: it did not, and cannot any more.
 */
export type SwapOutcome = 'checking' | 'completed' | 'failed' | 'not_yet' | 'never'

/** So often in a row it must not be found before that is said. */
const NOT_FOUND_TIMES = 3
/** A swap that was begun just before its deadline may take so long to be there. */
const MARGIN_MS = 5_000

/** @param deadline until when the swap may happen, in the server's time: ISO 8601. */
export function outcomeOf(seen: StatusSeen | undefined, deadline: string): SwapOutcome {
  if (seen?.found) return seen.found.status === 'pending' ? 'checking' : seen.found.status
  const { times = 0, askedAtMs = 0 } = seen ?? {}
  if (times > 0 && askedAtMs > Date.parse(deadline) + MARGIN_MS) return 'never'
  return times >= NOT_FOUND_TIMES ? 'not_yet' : 'checking'
}
