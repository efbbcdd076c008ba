import type { Answer } from '@clearwell/api/routes'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { PAIRS_POLL_MS, TICKER_POLL_MS } from '../../api/polling.ts'
import { useCall } from '../../api/use-call.ts'

export type Pair = Answer<'pairs'>[number]
export type Ticker = Answer<'spotTicker'>

/** The swap pools, every 3 s. */
export function usePairs() {
  return useCall('pairs', {}, { refetchInterval: PAIRS_POLL_MS })
}

/** The pool and the spot price of a market; `isUnknown` once it is certain that it has neither. */
export function useMarket(name: string) {
  const pairs = usePairs()
  const ticker = useQuery({
    queryKey: ['spotTicker', { symbol: name }],
    queryFn: ({ signal }) => call('spotTicker', { symbol: name }, { signal }),
    // What has no spot price (RT) will not have one in a moment.
    refetchInterval: ({ state }) => (isNoSymbol(state.error) ? false : TICKER_POLL_MS),
  })
  const pair = pairs.data?.find((each) => each.symbol === name)
  const hasNoSpot = isNoSymbol(ticker.error)
  return { pairs, pair, ticker, hasNoSpot, isUnknown: pairs.data !== undefined && !pair && hasNoSpot }
}

/** The server knows no spot price under this name. */
function isNoSymbol(error: unknown): boolean {
  return error instanceof ApiError && (error.codeName === 'not_found' || error.codeName === 'invalid_input')
}
