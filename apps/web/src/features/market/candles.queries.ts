import type { PayloadInput } from '@clearwell/api/routes'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import type { OlderCandles } from '../../components/chart/candle-chart.tsx'
import type { Candle } from '../../components/chart/candles.ts'
import { type CandlePages, withNewer, withOlder } from './candle-pages.ts'

/** Where candles come from: a pool by its id, a spot market by its symbol. */
export type CandleSource =
  | { readonly kind: 'pool'; readonly poolId: string }
  | { readonly kind: 'spot'; readonly symbol: string }

export type CandleInterval = PayloadInput<'swapKline'>['interval']

/** Between two of these the price of the pairs or of the ticker moves the last candle. */
const CANDLES_POLL_MS = 5_000
const PAGE = 300

/**
 * The candles of a market. They are read once; after that only the last two are read again, and earlier ones when `older`
 * is asked to.
 */
export function useCandles(source: CandleSource, interval: CandleInterval) {
  const queryClient = useQueryClient()
  const queryKey = ['candles', source, interval]
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const from = queryClient.getQueryData<CandlePages>(queryKey)?.candles.at(-2)?.time
      const fresh = await fetchCandles(
        source,
        from === undefined ? { interval, limit: PAGE } : { interval, from },
        signal,
      )
      // Earlier ones may have come meanwhile: merged with what is known now, not with what was known when asking.
      return withNewer(queryClient.getQueryData(queryKey), fresh)
    },
    refetchInterval: CANDLES_POLL_MS,
  })
  const [older, setOlder] = useState<'idle' | 'loading' | 'failed'>('idle')
  const isLoading = useRef(false)
  const load = async () => {
    const first = query.data?.candles[0]
    if (!first || isLoading.current) return
    isLoading.current = true
    setOlder('loading')
    try {
      const earlier = await fetchCandles(source, { interval, to: first.time, limit: PAGE })
      queryClient.setQueryData<CandlePages>(queryKey, (known) => known && withOlder(known, earlier))
      setOlder('idle')
    } catch {
      setOlder('failed')
    } finally {
      isLoading.current = false
    }
  }
  const state = older !== 'idle' ? older : query.data?.hasOlder === false ? 'end' : 'more'
  return { query, older: { state, load: () => void load() } satisfies OlderCandles }
}

function fetchCandles(
  source: CandleSource,
  window: Omit<PayloadInput<'spotKline'>, 'symbol'>,
  signal?: AbortSignal,
): Promise<Candle[]> {
  const options = signal ? { signal } : {}
  return source.kind === 'pool'
    ? call('swapKline', { pool_id: source.poolId, ...window }, options)
    : call('spotKline', { symbol: source.symbol, ...window }, options)
}
