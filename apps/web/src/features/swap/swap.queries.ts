import type { ResponseOf } from '@clearwell/api/routes'
import { usePending } from '@clearwell/ui/components/pending.tsx'
import { useEffect, useState } from 'react'
import { isFinalRefusal } from '../../api/api-error.ts'
import { BALANCES_POLL_MS, PAIRS_POLL_MS, QUOTE_AFTER_PAIRS_MS, TICKER_POLL_MS } from '../../api/polling.ts'
import { queryClient } from '../../api/query-client.ts'
import { useCall } from '../../api/use-call.ts'
import { type ListItem, useListCall } from '../../api/use-list-call.ts'
import type { ExactSide, Pair } from './swap-terms.ts'

/** The lifetime of a quote that does not state its own. */
const DEFAULT_QUOTE_TTL_MS = 10_000

export type SwapOrder = ListItem<'orders'>

/** A finished swap, as the server reports it to the swap itself and to a later status call. */
export type SwapResult = Pick<
  ResponseOf<'getOrderStatus'>,
  'transaction_id' | 'status' | 'amount_in' | 'amount_out' | 'fee'
>

/** The pools, every 3 s. */
export function usePairs() {
  return useCall('pairs', {}, { refetchInterval: PAIRS_POLL_MS })
}

/** The spot price of a pair while it is fresh; absent where it is not, or where the pair has no spot market. */
export function useSpotPrice(symbol: string | null): string | undefined {
  const isSample = usePending()
  const enabled = symbol !== null && !isSample
  const { data, isError } = useCall(
    'spotTicker',
    { symbol: symbol ?? '' },
    { enabled, refetchInterval: TICKER_POLL_MS },
  )
  return data?.state === 'fresh' && !isError ? (data.price ?? undefined) : undefined
}

/** Asks for each visible quote again, half a second after the pairs have arrived or failed. */
export function useQuotesAfterPairs({ dataUpdatedAt, errorUpdatedAt }: ReturnType<typeof usePairs>): void {
  useEffect(() => {
    if (dataUpdatedAt === 0 && errorUpdatedAt === 0) return
    const timer = setTimeout(() => {
      void queryClient.refetchQueries({ queryKey: ['getQuote'], type: 'active' }, { cancelRefetch: false })
    }, QUOTE_AFTER_PAIRS_MS)
    return () => clearTimeout(timer)
  }, [dataUpdatedAt, errorUpdatedAt])
}

/** Reads the pools and quotes again: after a swap, or when the user asks for it. */
export function refreshMarket(): void {
  void queryClient.invalidateQueries({ queryKey: ['pairs'] })
  void queryClient.invalidateQueries({ queryKey: ['getQuote'] })
}

interface QuoteInput {
  readonly pair: Pair
  readonly inverse: boolean
  readonly amount: string | undefined
  readonly exact?: ExactSide
  readonly gcTime?: number
}

/** The quote for `amount` (plain decimal text), requested again each time that it is shown; waits while there is none. */
export function useQuote({ pair, inverse, amount, exact = 'in', ...options }: QuoteInput) {
  // The API's default is an exact sold amount.
  const side = exact === 'out' ? { exact } : {}
  const payload = { pool_id: pair.id, amount: amount ?? '1', inverse: inverse ? 1 : 0, ...side } as const
  // The pool of a sample is none of the server's.
  const isSample = usePending()
  const enabled = amount !== undefined && !pair.suspended && !isSample
  return useCall('getQuote', payload, { enabled, staleTime: 0, ...options })
}

/**
 * When a quote expires by the clock of this device, which may be wrong: only the span between the server's two times is
 * used. 0 where there is no quote.
 */
export function expiryMs(
  quote: Pick<ResponseOf<'getQuote'>, 'time' | 'expires_at'> | undefined,
  receivedAtMs: number,
): number {
  if (quote === undefined || receivedAtMs === 0) return 0
  const ttlMs = Date.parse(quote.expires_at) - Date.parse(quote.time)
  return receivedAtMs + (ttlMs > 0 ? ttlMs : DEFAULT_QUOTE_TTL_MS)
}

/** `true` once a moment is past, from the first render on; renders again at that moment. */
export function useIsPast(momentMs: number): boolean {
  const [pastMs, setPastMs] = useState<number>()
  useEffect(() => {
    const timer = setTimeout(() => setPastMs(momentMs), Math.max(0, momentMs - Date.now()))
    return () => clearTimeout(timer)
  }, [momentMs])
  return pastMs === momentMs || momentMs <= Date.now()
}

/** The user's balances; `undefined` for a visitor and while they load. */
export function useBalances() {
  return useCall('balances', {}, { refetchInterval: BALANCES_POLL_MS }).data
}

/**
 * The user's swaps, newest first: all of them, or those of one pool. They are not polled, since they change only with the
 * user's own swaps. After a failure they are read again once the polled pools respond.
 */
export function useOrders(poolId?: string) {
  const orders = useListCall('orders', poolId === undefined ? {} : { pool_id: poolId })
  const { dataUpdatedAt: pairsAtMs } = usePairs()
  const { error, errorUpdatedAt: failedAtMs, refetch } = orders
  const isServerBack = error !== null && !isFinalRefusal(error) && pairsAtMs > failedAtMs
  useEffect(() => {
    if (isServerBack) void refetch({ cancelRefetch: false })
  }, [isServerBack, refetch])
  return orders
}

/** One of the user's latest swaps. */
export function useLatestOrder(transactionId: string) {
  return useOrders().data?.find((order) => order.transaction_id === transactionId)
}
