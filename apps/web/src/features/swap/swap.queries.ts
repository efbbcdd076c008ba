import type { AssetId } from '@clearwell/money/asset'
import { useEffect, useState } from 'react'
import { PAIRS_POLL_MS, QUOTE_AFTER_PAIRS_MS } from '../../api/polling.ts'
import { queryClient } from '../../api/query-client.ts'
import { useCall } from '../../api/use-call.ts'
import type { Pair } from './swap-terms.ts'

/** While someone types, the server is asked when they pause. */
const TYPING_PAUSE_MS = 250
const BALANCES_POLL_MS = 10_000
/** From this age on a figure is no longer called current: that long a quote holds, and twice the polling is past. */
export const STALE_AFTER_MS = 10_000

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

/** What selling `amount` (plain decimal text) would give; waits while there is none. */
export function useQuote({ pair, inverse, amount }: { pair: Pair; inverse: boolean; amount: string | undefined }) {
  const payload = { pool_id: pair.id, amount: amount ?? '1', inverse: inverse ? 1 : 0 } as const
  return useCall('getQuote', payload, { enabled: amount !== undefined && !pair.suspended })
}

/** What can be used of an asset, as plain decimal text; `undefined` while it is not known. */
export function useAvailable(asset: AssetId): string | undefined {
  const { data } = useCall('balances', {}, { refetchInterval: BALANCES_POLL_MS })
  return data?.find((balance) => balance.asset === asset)?.available
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
