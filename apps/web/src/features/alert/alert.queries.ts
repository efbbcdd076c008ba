import { useCall } from '../../api/use-call.ts'

/** More than a user may have waiting. */
const ALL_WAITING = 100

export function useWaiting() {
  return useCall('alerts', { status: 'waiting', limit: ALL_WAITING })
}

/** Which price of a market the server compares alerts with: the spot price, or the pool's where there is no spot price (RT). */
export type WatchedKind = 'pool' | 'spot'

export function useWatchedKind(symbol: string): WatchedKind {
  const pair = useCall('pairs', {}).data?.find((each) => each.symbol === symbol)
  return pair?.spot_symbol === null ? 'pool' : 'spot'
}
