import { parseUnits } from '@clearwell/money/decimal'

/** A value at a moment. */
export interface ChartPoint {
  /** ISO 8601. */
  readonly time: string
  /** Plain decimal text as the API returns it; `null` where there was none. */
  readonly value: string | null
}

/** A point with a value: it can be drawn and pointed at. */
export interface DrawnPoint extends ChartPoint {
  readonly value: string
  /** Seconds since 1970, which identify it in the chart. */
  readonly seconds: number
}

/** A moment without a value; it keeps its position on the time axis. */
export interface Gap {
  readonly seconds: number
  readonly value: null
}

/** Fewer points are a sentence instead of a line. */
export const MIN_CHART_POINTS = 12

const DECIMALS = 18

/**
 * Points as a chart needs them: oldest first and the last given of each second. An invalid number becomes a gap, and a
 * point without a valid time is left out, so that NaN is never drawn.
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

/** The points that have a value. */
export function drawnPoints(points: readonly (DrawnPoint | Gap)[]): DrawnPoint[] {
  return points.filter((point): point is DrawnPoint => point.value !== null)
}

/** The first, last, lowest and highest point; `undefined` without points. */
export function summarizeSeries(
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

/** The index of the point nearest to a moment; `-1` where there is none. */
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

function isNumber(text: string): boolean {
  return parseUnits(text.replace(/^-/, ''), DECIMALS) !== undefined
}

/** Decimal text, also negative, as a whole number for exact comparison. */
export function unitsOf(text: string): bigint {
  const units = parseUnits(text.replace(/^-/, ''), DECIMALS) ?? 0n
  return text.startsWith('-') ? -units : units
}
