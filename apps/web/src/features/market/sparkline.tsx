import { useCall } from '../../api/use-call.ts'
import { SPARKLINE, sparklinePath } from './sparkline-path.ts'
import type { Pair } from './use-pairs.ts'

const DAY = { interval: '1h', limit: 24 } as const
const POLL = { refetchInterval: 60_000, staleTime: 60_000 } as const

/** How a pool's price went in a day, as a small line; that of spot where the pool has had no trades yet. */
export default function Sparkline({ pair }: { pair: Pair }) {
  const pool = useCall('swapKline', { pool_id: pair.id, ...DAY }, POLL)
  const isYoung = pool.data !== undefined && pool.data.length < 2
  const spot = useCall(
    'spotKline',
    { symbol: pair.spot_symbol ?? '', ...DAY },
    { ...POLL, enabled: isYoung && pair.spot_symbol !== null },
  )
  const closes = ((isYoung ? spot.data : pool.data) ?? []).map(({ close }) => close)
  const still = !/[1-9]/.test(pair.change_24h)
  const tone = still ? 'text-muted' : pair.change_24h.startsWith('-') ? 'text-down' : 'text-up'
  const { width, height } = SPARKLINE
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} className={tone} aria-hidden="true">
      <path
        d={sparklinePath(isYoung ? closes : [...closes.slice(0, -1), pair.price])}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
