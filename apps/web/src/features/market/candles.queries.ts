import type { PayloadInput } from '@clearwell/api/routes'
import type { OlderCandles } from '@clearwell/ui/components/chart/candle-chart.tsx'
import { type Candle, secondsOf } from '@clearwell/ui/components/chart/candles.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../api/client.ts'

/** The source of candles: a pool by its id, or a spot market by its symbol. */
export type CandleSource =
  | { readonly kind: 'pool'; readonly poolId: string }
  | { readonly kind: 'spot'; readonly symbol: string }

export type CandleInterval = PayloadInput<'swapKline'>['interval']

/** The candles of a market loaded so far, oldest first, without duplicates. */
export interface CandlePages {
  readonly candles: readonly Candle[]
  /** `false` once the oldest candle is loaded. */
  readonly hasOlder: boolean
}

/** Between two polls the price of the pairs or the ticker moves the last candle. */
const CANDLES_POLL_MS = 5_000
const PAGE = 300

/** The candles of a market. Polls read only the last two again; `older.load` reads older ones. */
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
      // Merged with the candles known now: older ones may have arrived since the call.
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

export function fetchCandles(
  source: CandleSource,
  window: Omit<PayloadInput<'spotKline'>, 'symbol'>,
  signal?: AbortSignal,
): Promise<Candle[]> {
  const options = signal ? { signal } : {}
  return source.kind === 'pool'
    ? call('swapKline', { pool_id: source.poolId, ...window }, options)
    : call('spotKline', { symbol: source.symbol, ...window }, options)
}

/**
 * Adds the latest candles, which replace known ones. Where candles in between are missing, the known ones are dropped: a
 * chart can load its past again, but a hole would show a false price.
 */
export function withNewer(known: CandlePages | undefined, fresh: readonly Candle[]): CandlePages {
  const last = known?.candles.at(-1)
  const [first] = fresh
  if (!known || !last || (first && secondsOf(first) > secondsOf(last))) return { candles: fresh, hasOlder: true }
  return { ...known, candles: merge(known.candles, fresh) }
}

/** Adds older candles; without any new one there are no more. */
export function withOlder(known: CandlePages, older: readonly Candle[]): CandlePages {
  const [first] = known.candles
  const earlier = first ? older.filter((candle) => secondsOf(candle) < secondsOf(first)) : []
  return { candles: merge(earlier, known.candles), hasOlder: earlier.length > 0 }
}

/** Both in order of time; the second replaces the first at the same time. */
function merge(known: readonly Candle[], fresh: readonly Candle[]): Candle[] {
  const bySecond = new Map([...known, ...fresh].map((candle) => [secondsOf(candle), candle]))
  return [...bySecond].toSorted(([one], [other]) => one - other).map(([, candle]) => candle)
}
