import { useCall } from '../../api/use-call.ts'
import { SPARKLINE, sparklinePath } from './sparkline-path.ts'
import type { Pair } from './use-pairs.ts'

const DAY = { interval: '1h', limit: 24 } as const
const POLL = { refetchInterval: 60_000, staleTime: 60_000 } as const

/** How a pool's price went in a day, as a small line: from before its first trade then until now. Without trades, none. */
export default function Sparkline({ pair }: { pair: Pair }) {
  const candles = useCall('swapKline', { pool_id: pair.id, ...DAY }, POLL).data ?? []
  const [first] = candles
  const prices = first ? [first.open, ...candles.slice(0, -1).map(({ close }) => close), pair.price] : []
  const still = !/[1-9]/.test(pair.change_24h)
  const tone = still ? 'text-muted' : pair.change_24h.startsWith('-') ? 'text-down' : 'text-up'
  const { width, height } = SPARKLINE
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} className={tone} aria-hidden="true">
      <path
        d={sparklinePath(prices)}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
