import { parseUnits } from '@clearwell/money/decimal'

/** A value at a moment. */
export interface ChartPoint {
  /** ISO 8601. */
  readonly time: string
  /** Plain decimal text, as the API gives it; `null` where there was none. */
  readonly value: string | null
}

/** A point that has a value, and so can be drawn and pointed at. */
export interface DrawnPoint extends ChartPoint {
  readonly value: string
  /** Seconds since 1970: what the chart knows it by. */
  readonly seconds: number
}

/** A moment without a value keeps its place on the axis of time. */
export interface Gap {
  readonly seconds: number
  readonly value: null
}

const DECIMALS = 18

/**
 * Points as a chart needs them: oldest first, one to a second, of which the last given counts. What is no time or no
 * number is a gap or is left out, never drawn as NaN.
 */
export function chartPoints(points: readonly ChartPoint[]): (DrawnPoint | Gap)[] {
  const bySecond = new Map<number, DrawnPoint | Gap>()
  for (const { time, value } of points) {
    const seconds = Math.floor(Date.parse(time) / 1000)
    if (!Number.isFinite(seconds)) continue
    bySecond.set(seconds, value === null || !isNumber(value) ? { seconds, value: null } : { time, seconds, value })
  }
  return [...bySecond.values()].sort((a, b) => a.seconds - b.seconds)
}

/** The points of them that have a value. */
export function drawnPoints(points: readonly (DrawnPoint | Gap)[]): DrawnPoint[] {
  return points.filter((point): point is DrawnPoint => point.value !== null)
}

/** Where a course began and ended, and how far down and up it went; `undefined` where there is nothing to tell. */
export function courseOf(
  points: readonly DrawnPoint[],
): { first: DrawnPoint; last: DrawnPoint; low: DrawnPoint; high: DrawnPoint } | undefined {
  const [first] = points
  const last = points.at(-1)
  if (!first || !last) return undefined
  let low = first
  let high = first
  for (const point of points) {
    if (unitsOf(point.value) < unitsOf(low.value)) low = point
    if (unitsOf(point.value) > unitsOf(high.value)) high = point
  }
  return { first, last, low, high }
}

/** The point whose moment is nearest to a place on the axis; `-1` where there is none. */
export function nearestPoint(points: readonly DrawnPoint[], seconds: number): number {
  let nearest = -1
  let distance = Number.POSITIVE_INFINITY
  for (const [index, point] of points.entries()) {
    const away = Math.abs(point.seconds - seconds)
    if (away < distance) {
      nearest = index
      distance = away
    }
  }
  return nearest
}

/**
 * Where a key moves the crosshair to: one point or ten, the first or the last, `undefined` away. `null`: the key is none
 * of ours.
 *
 * @param current the point that is shown now; the first key shows the last point, which is now.
 */
export function pointAfterKey(key: string, current: number | undefined, count: number): number | undefined | null {
  const last = count - 1
  const to = (index: number) => Math.min(Math.max(index, 0), last)
  const from = current ?? count
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return to(from - 1)
    case 'ArrowRight':
    case 'ArrowUp':
      return to(from + 1)
    case 'PageDown':
      return to(from - 10)
    case 'PageUp':
      return to(from + 10)
    case 'Home':
      return 0
    case 'End':
      return last
    case 'Escape':
      return undefined
    default:
      return null
  }
}

function isNumber(text: string): boolean {
  return parseUnits(text.replace(/^-/, ''), DECIMALS) !== undefined
}

/** Decimal text, negative too, as a whole number that can be compared exactly. */
export function unitsOf(text: string): bigint {
  const units = parseUnits(text.replace(/^-/, ''), DECIMALS) ?? 0n
  return text.startsWith('-') ? -units : units
}
