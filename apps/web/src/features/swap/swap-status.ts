import type { ResponseOf } from '@clearwell/api/routes'
import { useQuery } from '@tanstack/react-query'
import { useAccount } from '../../account/use-account.ts'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { serverNowMs } from '../../api/server-clock.ts'
import type { PendingSwap } from './pending-swaps.ts'
import type { SwapResult } from './swap.queries.ts'

/** The outcome of a swap whose response was lost, looked up by its idempotency key. */

/** The result of the status calls so far. */
export interface StatusSeen {
  readonly found: ResponseOf<'getOrderStatus'> | undefined
  /** How many times in a row the server did not know the swap. */
  readonly times: number
  /** A lower bound of the server's time at the last call, in milliseconds; absent where it is not known. */
  readonly lookedUpAtMs?: number | undefined
}

/**
 * `checking` is looked up again soon. `not_yet`: the server does not know the swap, but its request may still arrive before
 * the deadline. `never`: the request did not arrive and is now too late.
 */
export type SwapOutcome = 'checking' | 'completed' | 'failed' | 'not_yet' | 'never'

const CHECKING_POLL_MS = 2_000
/** A swap the server does not know can only come from a delayed request. */
const NOT_YET_POLL_MS = 10_000
/** Consecutive calls that must miss the swap before the user sees that it is unknown. */
const NOT_FOUND_TIMES = 3
/** A swap that started just before its deadline may take this long to appear. */
const MARGIN_MS = 5_000

/** Looks up a swap until its outcome is certain. */
export function useSwapStatus({ key, payload }: Pick<PendingSwap, 'key' | 'payload'>) {
  const { signedIn } = useAccount()
  const queryKey = statusKey(key)
  const deadline = String(payload.deadline)
  const status = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<StatusSeen> => {
      // Read before the call: a swap that the call misses may exist by the time of the response.
      const lookedUpAtMs = serverNowMs()
      try {
        return { found: await call('getOrderStatus', { idempotency_key: key }, { signal }), times: 0 }
      } catch (error) {
        if (!(error instanceof ApiError && error.codeName === 'not_found')) throw error
        const times = (queryClient.getQueryData<StatusSeen>(queryKey)?.times ?? 0) + 1
        return { found: undefined, times, lookedUpAtMs }
      }
    },
    enabled: signedIn,
    refetchInterval: ({ state }) => pollMsOf(outcomeOf(state.data, deadline)),
  })
  return { ...status, outcome: outcomeOf(status.data, deadline) }
}

/** Forgets the earlier result when a swap is sent again, because it does not apply to the new attempt. */
export function forgetSwapStatus(key: string): Promise<void> {
  return queryClient.resetQueries({ queryKey: statusKey(key) })
}

/** The stages that the sheet of a pending swap shows. */
export type PendingStage =
  | { readonly name: 'done'; readonly result: SwapResult }
  | { readonly name: 'refused'; readonly refusal: ApiError }
  | { readonly name: 'failed'; readonly reason: string | undefined }
  | { readonly name: 'not_yet' }
  | { readonly name: 'never' }
  | { readonly name: 'signed_out' }
  | { readonly name: 'sending' }
  | { readonly name: 'checking' }
  | { readonly name: 'unreachable'; readonly error: Error }

/** The stage of a pending swap, from its lookup and from sending it again. */
export function pendingStageOf({
  executed,
  refusal,
  outcome,
  found,
  lookupError,
  isSwapping,
  signedIn,
}: {
  /** The response to sending it again. */
  readonly executed: SwapResult | undefined
  readonly refusal: ApiError | undefined
  readonly outcome: SwapOutcome
  readonly found: StatusSeen['found']
  readonly lookupError: Error | null
  /** A swap of this page waits for its response, so the lookup is out of date. */
  readonly isSwapping: boolean
  readonly signedIn: boolean
}): PendingStage {
  if (executed) return { name: 'done', result: executed }
  if (!isSwapping && outcome === 'completed' && found) return { name: 'done', result: found }
  if (refusal) return { name: 'refused', refusal }
  if (!isSwapping && outcome === 'failed') return { name: 'failed', reason: found?.reason }
  if (!isSwapping && (outcome === 'not_yet' || outcome === 'never')) return { name: outcome }
  if (!signedIn) return { name: 'signed_out' }
  if (isSwapping) return { name: 'sending' }
  return lookupError ? { name: 'unreachable', error: lookupError } : { name: 'checking' }
}

/** @param deadline the last moment for the swap in the server's time: ISO 8601. */
export function outcomeOf(seen: StatusSeen | undefined, deadline: string): SwapOutcome {
  if (seen?.found) return seen.found.status === 'pending' ? 'checking' : seen.found.status
  const { times = 0, lookedUpAtMs = 0 } = seen ?? {}
  if (times > 0 && lookedUpAtMs > Date.parse(deadline) + MARGIN_MS) return 'never'
  return times >= NOT_FOUND_TIMES ? 'not_yet' : 'checking'
}

function pollMsOf(outcome: SwapOutcome): number | false {
  switch (outcome) {
    case 'checking':
      return CHECKING_POLL_MS
    case 'not_yet':
      return NOT_YET_POLL_MS
    default:
      return false
  }
}

function statusKey(key: string) {
  return ['getOrderStatus', { idempotency_key: key }] as const
}
