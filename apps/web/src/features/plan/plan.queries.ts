import { useEffect } from 'react'
import { BALANCES_POLL_MS, PAIRS_POLL_MS } from '../../api/polling.ts'
import { useCall } from '../../api/use-call.ts'
import { useListCall } from '../../api/use-list-call.ts'
import type { Plan } from './plan-words.ts'

/** How often a screen looks whether a plan has run, in milliseconds. */
const PLANS_POLL_MS = 10_000

/** The pools, every 3 s. */
export function usePairs() {
  return useCall('pairs', {}, { refetchInterval: PAIRS_POLL_MS })
}

/** The user's balances; `undefined` for a visitor and while they load. */
export function useBalances() {
  return useCall('balances', {}, { refetchInterval: BALANCES_POLL_MS }).data
}

/** The user's plans, newest first: all of them, or those with a status. */
export function usePlans(status?: Plan['status']) {
  return useListCall('plans', status === undefined ? {} : { status }, { refetchInterval: PLANS_POLL_MS })
}

/** One plan: from a list that has it already, or out of all of the user's plans, page by page until it is found. */
export function usePlan(planId: string, known: Plan | undefined) {
  const all = usePlans()
  const { data, hasNextPage, isFetching, isError, error, refetch, fetchNextPage } = all
  const plan = known ?? data?.find(({ plan_id }) => plan_id === planId)
  const goesOn = plan === undefined && hasNextPage && !isFetching && !isError
  useEffect(() => {
    if (goesOn) void fetchNextPage()
  }, [goesOn, fetchNextPage])
  const isMissing = plan === undefined && data !== undefined && !hasNextPage
  return { plan, isMissing, error: plan ? null : error, refetch }
}

/** The runs of a plan, newest first. */
export function usePlanRuns(plan_id: string) {
  return useListCall('planRuns', { plan_id }, { refetchInterval: PLANS_POLL_MS })
}
