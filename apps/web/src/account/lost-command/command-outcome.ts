import type { ResponseOf } from '@clearwell/api/routes'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import type { SentCommand } from '../../api/sent-commands.ts'
import { outcomeKey } from '../../api/use-command.ts'
import { useAccount } from '../use-account.ts'

/** The outcome of a command whose response was lost, looked up by its idempotency key. */

type Found = ResponseOf<'commandOutcome'>

/** The result of the lookups so far. */
export interface OutcomeSeen {
  readonly found: Found
  /** How many times in a row the server did not know the command. */
  readonly times: number
}

/**
 * `checking` is looked up again soon. `not_arrived`: the server does not know it, so it was not carried out; its request may still
 * be on its way. `too_late`: the same, and its deadline has passed. `unknown`: the server may have forgotten it.
 */
export type Outcome =
  | { readonly name: 'checking' }
  | { readonly name: 'done'; readonly response: unknown }
  | { readonly name: 'refused'; readonly refusal: ApiError }
  | { readonly name: 'not_arrived' }
  | { readonly name: 'too_late' }
  | { readonly name: 'unknown'; readonly days: number }

const CHECKING_POLL_MS = 2_000
/** A command that the server does not know can only come from a delayed request. */
const NOT_ARRIVED_POLL_MS = 15_000
/** Consecutive lookups that must miss a command before the user sees that it is unknown. */
const NOT_FOUND_TIMES = 3
/** A command that started just before its deadline may take this long to appear. */
const DEADLINE_MARGIN_MS = 5_000
/** The clocks of two servers are this close at least. */
const CLOCK_MARGIN_MS = 3_600_000
const DAY_MS = 86_400_000

type Sent = Pick<SentCommand, 'payload'> & Partial<Pick<SentCommand, 'sentAtMs'>>

/** Looks up a command until its outcome is certain. It waits while the command is being sent. */
export function useCommandOutcome(sent: Sent & { readonly key: string }, { isSending }: { isSending: boolean }) {
  const { signedIn } = useAccount()
  const { key } = sent
  const queryKey = outcomeKey(key)
  const lookup = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<OutcomeSeen> => {
      const found = await call('commandOutcome', { idempotency_key: key }, { signal })
      const before = queryClient.getQueryData<OutcomeSeen>(queryKey)?.times ?? 0
      return { found, times: found.state === 'unknown' ? before + 1 : 0 }
    },
    enabled: signedIn && !isSending,
    // The results of an earlier lookup do not apply to an attempt after it.
    staleTime: 0,
    refetchInterval: ({ state }) => pollMsOf(outcomeOf(state.data, sent)),
  })
  return { ...lookup, outcome: outcomeOf(lookup.data, sent) }
}

/** Forgets the lookups before another attempt. */
export function forgetOutcome(key: string): Promise<void> {
  return queryClient.resetQueries({ queryKey: outcomeKey(key) })
}

export function outcomeOf(seen: OutcomeSeen | undefined, { payload, sentAtMs = null }: Sent): Outcome {
  if (!seen) return { name: 'checking' }
  const { state, code, msg, data, time, retention_days: days } = seen.found
  if (state === 'done') {
    if (code === 1) return { name: 'done', response: data }
    return { name: 'refused', refusal: new ApiError(code ?? 0, msg ?? '', data) }
  }
  if (state === 'pending') return { name: 'checking' }
  const nowMs = Date.parse(time)
  if (sentAtMs === null || nowMs - sentAtMs > days * DAY_MS - CLOCK_MARGIN_MS) return { name: 'unknown', days }
  const deadline = deadlineOf(payload)
  if (deadline !== undefined && nowMs > Date.parse(deadline) + DEADLINE_MARGIN_MS) return { name: 'too_late' }
  return { name: seen.times >= NOT_FOUND_TIMES ? 'not_arrived' : 'checking' }
}

/** The last moment for the command in the server's time, where it has one: ISO 8601. */
export function deadlineOf(payload: object): string | undefined {
  return 'deadline' in payload && typeof payload.deadline === 'string' ? payload.deadline : undefined
}

function pollMsOf({ name }: Outcome): number | false {
  switch (name) {
    case 'checking':
      return CHECKING_POLL_MS
    case 'not_arrived':
      return NOT_ARRIVED_POLL_MS
    default:
      return false
  }
}
