import type { PriceState } from '@clearwell/api/market.routes'
import type { ResponseOf } from '@clearwell/api/routes'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { PAIRS_POLL_MS, TICKER_POLL_MS } from '../../api/polling.ts'
import { useCall } from '../../api/use-call.ts'
import type { ListItem } from '../../api/use-list-call.ts'
import { usePairs } from './use-pairs.ts'

export type Ticker = ResponseOf<'spotTicker'>
export type Trade = ResponseOf<'swapTrades'>['items'][number]

/** The name of a market: its two assets together, such as BNBUSDT. */
const MARKET_NAME = /^[A-Z0-9]{2,20}$/
const TRADES_SHOWN = 20

/** The pool and the spot price of a market; `isUnknown` once it certainly has neither. */
export function useMarket(name: string) {
  const pairs = usePairs()
  const pair = pairs.data?.find((each) => each.symbol === name)
  // The pool names its spot market; RT has none, and then no price is requested.
  const symbol = pair ? pair.spot_symbol : pairs.isPending ? null : name
  const ticker = useQuery({
    queryKey: ['spotTicker', { symbol: symbol ?? '' }],
    queryFn: ({ signal }) => call('spotTicker', { symbol: symbol ?? '' }, { signal }),
    enabled: symbol !== null,
    // An unknown market stays unknown.
    refetchInterval: ({ state }) => (isNoSymbol(state.error) ? false : TICKER_POLL_MS),
  })
  const isUnknown = pairs.data !== undefined && !pair && isNoSymbol(ticker.error)
  return { pairs, pair, symbol, ticker, isUnknown }
}

/** The state of the spot price; a shown price that cannot be read again is stale. */
export function spotState({ data, isError }: Pick<UseQueryResult<Ticker>, 'data' | 'isError'>): PriceState | undefined {
  if (!data) return undefined
  return isError && data.state !== 'unknown' ? 'stale' : data.state
}

/** The latest trades of a pool, polled as often as the pools. */
export function useTrades(poolId: string) {
  return useCall('swapTrades', { pool_id: poolId, limit: TRADES_SHOWN }, { refetchInterval: PAIRS_POLL_MS })
}

/**
 * Names the trade that an order of the user appears as. A public trade has no owner and another id, so time and amount of the
 * base asset say which one it is.
 */
export function tradeOfOrder({ created_at, inverse, amount_in, amount_out }: ListItem<'orders'>): string {
  return `${created_at} ${inverse ? amount_out : amount_in}`
}

/** The server knows no spot price under this name. */
function isNoSymbol(error: unknown): boolean {
  return error instanceof ApiError && (error.codeName === 'not_found' || error.codeName === 'invalid_input')
}

/**
 * Reads the name of a market from the address; `undefined` where it cannot be one.
 *
 * @returns `isCanonical` is `false` for another spelling, which the app should redirect.
 */
export function readMarketName(text: string): { name: string; isCanonical: boolean } | undefined {
  const name = text.toUpperCase()
  // Only ASCII letters: "ſ" must not become an S.
  if (!MARKET_NAME.test(name) || !/^[A-Za-z0-9]+$/.test(text)) return undefined
  return { name, isCanonical: name === text }
}
