import type { AssetId } from '@clearwell/money/asset'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { PAIRS_POLL_MS, QUOTE_AFTER_PAIRS_MS, useCall } from '../../api/use-call.ts'
import { useListCall } from '../../api/use-list-call.ts'
import type { PendingSwap } from './pending-swap.ts'
import { serverNowMs } from './server-time.ts'
import { outcomeOf, type StatusSeen, type SwapOutcome } from './swap-outcome.ts'
import { isDefinite } from './swap-refusal.ts'
import type { ExactSide, Pair } from './swap-terms.ts'

/** While someone types, the server is asked when they pause. */
const TYPING_PAUSE_MS = 250
const BALANCES_POLL_MS = 10_000
const STATUS_POLL_MS = 2_000
/** What is not there may only come by a request that is long on its way. */
const NOT_YET_POLL_MS = 10_000

/** The pools, every 3 s. */
export function usePairs() {
  return useCall('pairs', {}, { refetchInterval: PAIRS_POLL_MS })
}

/** Asks for every quote in sight again, half a second after the pairs came (or failed to). */
export function useQuotesAfterPairs({ dataUpdatedAt, errorUpdatedAt }: ReturnType<typeof usePairs>): void {
  useEffect(() => {
    if (dataUpdatedAt === 0 && errorUpdatedAt === 0) return
    const timer = setTimeout(() => {
      void queryClient.refetchQueries({ queryKey: ['getQuote'], type: 'active' }, { cancelRefetch: false })
    }, QUOTE_AFTER_PAIRS_MS)
    return () => clearTimeout(timer)
  }, [dataUpdatedAt, errorUpdatedAt])
}

/** Everything public on the screen again, now: after a swap, or when asked to. */
export function refreshMarket(): void {
  void queryClient.invalidateQueries({ queryKey: ['pairs'] })
  void queryClient.invalidateQueries({ queryKey: ['getQuote'] })
}

/** What swapping `amount` (plain decimal text) would give or cost; waits while there is none. */
export function useQuote({
  pair,
  inverse,
  amount,
  exact = 'in',
}: {
  pair: Pair
  inverse: boolean
  amount: string | undefined
  exact?: ExactSide
}) {
  // What is sold being exact goes without saying.
  const side = exact === 'out' ? { exact } : {}
  const payload = { pool_id: pair.id, amount: amount ?? '1', inverse: inverse ? 1 : 0, ...side } as const
  return useCall('getQuote', payload, { enabled: amount !== undefined && !pair.suspended })
}

/** What can be used of an asset, as plain decimal text; `undefined` while it is not known. */
export function useAvailable(asset: AssetId): string | undefined {
  const { data } = useCall('balances', {}, { refetchInterval: BALANCES_POLL_MS })
  return data?.find((balance) => balance.asset === asset)?.available
}

/**
 * My swaps, newest first: all of them, or those of one pool. They are not polled, for they change with what I do: where
 * they could not be had, they are asked for again as soon as the pools answer again, which are.
 */
export function useOrders(poolId?: string) {
  const orders = useListCall('orders', poolId === undefined ? {} : { pool_id: poolId })
  const { dataUpdatedAt: pairsAtMs } = usePairs()
  const { error, errorUpdatedAt: failedAtMs, refetch } = orders
  const isBack = error !== null && !isDefinite(error) && pairsAtMs > failedAtMs
  useEffect(() => {
    if (isBack) void refetch({ cancelRefetch: false })
  }, [isBack, refetch])
  return orders
}

/** One of my latest swaps. */
export function useLatestOrder(transactionId: string) {
  return useOrders().data?.find((order) => order.transaction_id === transactionId)
}

/** What became of a swap whose answer was lost, asked by its idempotency key until that is certain. */
export function useSwapStatus({ key, payload }: Pick<PendingSwap, 'key' | 'payload'>) {
  const { signedIn } = useAccount()
  const queryKey = statusKey(key)
  const deadline = String(payload.deadline)
  const status = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<StatusSeen> => {
      // Before it is asked: what is not there then may be there when the answer comes.
      const askedAtMs = serverNowMs()
      try {
        return { found: await call('getOrderStatus', { idempotency_key: key }, { signal }), times: 0 }
      } catch (error) {
        if (!(error instanceof ApiError && error.codeName === 'not_found')) throw error
        const times = (queryClient.getQueryData<StatusSeen>(queryKey)?.times ?? 0) + 1
        return { found: undefined, times, askedAtMs }
      }
    },
    enabled: signedIn,
    refetchInterval: ({ state }) => pollMsOf(outcomeOf(state.data, deadline)),
  })
  return { ...status, outcome: outcomeOf(status.data, deadline) }
}

function pollMsOf(outcome: SwapOutcome): number | false {
  switch (outcome) {
    case 'checking':
      return STATUS_POLL_MS
    case 'not_yet':
      return NOT_YET_POLL_MS
    default:
      return false
  }
}

/** What was found before a swap was sent once more says nothing of how it ended. */
export function forgetSwapStatus(key: string): Promise<void> {
  return queryClient.resetQueries({ queryKey: statusKey(key) })
}

function statusKey(key: string) {
  return ['getOrderStatus', { idempotency_key: key }] as const
}

/** The value once it has stood still for a moment. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** The time, once a second. */
export function useNowMs(): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}
