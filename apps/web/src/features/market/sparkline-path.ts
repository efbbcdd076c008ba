/** What a small line is drawn in; its ends stay clear of the edges, where half of its width would be cut. */
export const SPARKLINE = { width: 64, height: 28, edge: 2 } as const

/** The path of a line through values, from edge to edge; flat where they are all the same, nothing for fewer than two. */
export function sparklinePath(values: readonly string[]): string {
  // Places on the screen, not money.
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

function round(place: number): number {
  return Math.round(place * 10) / 10
}
