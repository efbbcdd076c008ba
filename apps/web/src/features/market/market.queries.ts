import type { Answer } from '@clearwell/api/routes'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { PAIRS_POLL_MS, TICKER_POLL_MS, useCall } from '../../api/use-call.ts'
import { usePairs } from './use-pairs.ts'

export type Ticker = Answer<'spotTicker'>
export type Trade = Answer<'swapTrades'>['items'][number]

const TRADES_SHOWN = 20

/** The pool and the spot price of a market; `isUnknown` once it is certain that it has neither. */
export function useMarket(name: string) {
  const pairs = usePairs()
  const pair = pairs.data?.find((each) => each.symbol === name)
  // The pool says what its spot market is called, or that there is none (RT): then none is asked for.
  const symbol = pair ? pair.spot_symbol : pairs.isPending ? null : name
  const ticker = useQuery({
    queryKey: ['spotTicker', { symbol: symbol ?? '' }],
    queryFn: ({ signal }) => call('spotTicker', { symbol: symbol ?? '' }, { signal }),
    enabled: symbol !== null,
    // What is no market will not become one in a moment.
    refetchInterval: ({ state }) => (isNoSymbol(state.error) ? false : TICKER_POLL_MS),
  })
  const isUnknown = pairs.data !== undefined && !pair && isNoSymbol(ticker.error)
  return { pairs, pair, symbol, ticker, isUnknown }
}

/** The latest trades of a pool, by everyone, as often as the pools themselves. */
export function useTrades(poolId: string) {
  return useCall('swapTrades', { pool_id: poolId, limit: TRADES_SHOWN }, { refetchInterval: PAIRS_POLL_MS })
}

/** The server knows no spot price under this name. */
function isNoSymbol(error: unknown): boolean {
  return error instanceof ApiError && (error.codeName === 'not_found' || error.codeName === 'invalid_input')
}
