import { useCall } from '../../api/use-call.ts'
import type { Pair } from './use-pairs.ts'

/** The size of the line; `edge` keeps its ends clear of the border, which would cut half its width. */
const SPARKLINE = { width: 64, height: 28, edge: 2 } as const
const DAY = { interval: '1h', limit: 24 } as const
const POLL = { refetchInterval: 60_000, staleTime: 60_000 } as const

/** A pool's price over 24 hours as a small line, from the first open until now. Nothing without trades. */
export default function Sparkline({ pair }: { pair: Pair }) {
  const candles = useCall('swapKline', { pool_id: pair.id, ...DAY }, POLL).data ?? []
  const [first] = candles
  const prices = first ? [first.open, ...candles.slice(0, -1).map(({ close }) => close), pair.price] : []
  const isUnchanged = !/[1-9]/.test(pair.change_24h)
  const tone = isUnchanged ? 'text-muted' : pair.change_24h.startsWith('-') ? 'text-down' : 'text-up'
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

/** The path of a line through values, from edge to edge: flat for equal values, empty for fewer than two. */
export function sparklinePath(values: readonly string[]): string {
  // Positions on the screen, not money.
  const heights = values.map(Number)
  const low = Math.min(...heights)
  const span = Math.max(...heights) - low
  if (heights.length < 2 || !Number.isFinite(span)) return ''
  const { width, height, edge } = SPARKLINE
  const across = (width - 2 * edge) / (heights.length - 1)
  const up = height - 2 * edge
  return heights
    .map((value, index) => {
      const y = span === 0 ? height / 2 : edge + up * (1 - (value - low) / span)
      return `${index === 0 ? 'M' : 'L'}${round(edge + index * across)} ${round(y)}`
    })
    .join('')
}

function round(position: number): number {
  return Math.round(position * 10) / 10
}
