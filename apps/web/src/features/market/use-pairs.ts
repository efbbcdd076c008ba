import type { ResponseOf } from '@clearwell/api/routes'
import { PAIRS_POLL_MS } from '../../api/polling.ts'
import { useCall } from '../../api/use-call.ts'

export type Pair = ResponseOf<'pairs'>[number]

/** The market to show while the pools are not known: the default symbol (specification §9). */
export const DEFAULT_MARKET = 'BNBUSDT'

/** The swap pools, every 3 s. Apart from the other queries, since home loads it. */
export function usePairs() {
  return useCall('pairs', {}, { refetchInterval: PAIRS_POLL_MS })
}
