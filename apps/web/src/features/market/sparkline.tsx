/** The size of the line; `edge` keeps its ends, and the last point, clear of the border, which would cut them. */
const SPARKLINE = { width: 64, height: 28, edge: 3 } as const
/** Fewer points are a sentence and no line. */
const MIN_POINTS = 12

/** Returns whether there are enough prices for a line. */
export function fillsLine(prices: readonly string[]): boolean {
  return prices.length >= MIN_POINTS
}

/** Prices over 24 hours as a small line over a soft area, its last point marked, in the colour of their change. */
export function Sparkline({ prices, change }: { prices: readonly string[]; change: string }) {
  const isUnchanged = !/[1-9]/.test(change)
  const tone = isUnchanged ? 'text-muted' : change.startsWith('-') ? 'text-down' : 'text-up'
  const { width, height } = SPARKLINE
  const points = sparklinePoints(prices)
  const last = points.at(-1)
  if (!last) return null
  const line = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} className={tone} aria-hidden="true">
      <path d={`${line}V${height}H${SPARKLINE.edge}`} fill="currentColor" opacity="0.14" />
      <path d={line} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" strokeLinecap="round" />
      <circle cx={last[0]} cy={last[1]} r="2" fill="currentColor" />
    </svg>
  )
}

/** The points of a line through values, from edge to edge: level for equal values, none for fewer than two. */
export function sparklinePoints(values: readonly string[]): [x: number, y: number][] {
  // Positions on the screen, not money.
  const heights = values.map(Number)
  const low = Math.min(...heights)
  const span = Math.max(...heights) - low
  if (heights.length < 2 || !Number.isFinite(span)) return []
  const { width, height, edge } = SPARKLINE
  const across = (width - 2 * edge) / (heights.length - 1)
  const up = height - 2 * edge
  return heights.map((value, index) => {
    const y = span === 0 ? height / 2 : edge + up * (1 - (value - low) / span)
    return [round(edge + index * across), round(y)]
  })
}

function round(position: number): number {
  return Math.round(position * 10) / 10
}
