import { DAY_MS, MINUTE_MS } from './spans.ts'
/**
 * Daily opening times in Hong Kong, as `HH:MM` from 00:00 to 23:59. Open from `opens` (included) to `closes` (excluded).
 * A window that closes before it opens runs over midnight.
 */
export type OpeningWindow = 'always' | { readonly opens: string; readonly closes: string }

export type Opening = { readonly open: true } | { readonly open: false; readonly opensAt: Date }

/** Asia/Hong_Kong is UTC+8 without daylight saving (IANA tz database: since 28 October 1979). */
const HONG_KONG_OFFSET_MS = 8 * 60 * MINUTE_MS

/**
 * Returns whether the window is open at `now`, and if not, when it opens next.
 *
 * @throws RangeError if a time is not `HH:MM`, if a window opens when it closes (write `always` instead), or if `now` is
 * invalid: each is a configuration error or a bug.
 */
export function openingAt(now: Date, window: OpeningWindow): Opening {
  if (Number.isNaN(now.getTime())) throw new RangeError('openingAt: now is not a valid time')
  if (window === 'always') return { open: true }
  const opensMs = parseTimeOfDay(window.opens)
  const closesMs = parseTimeOfDay(window.closes)
  if (opensMs === closesMs) throw new RangeError('openingAt: a window must not open when it closes')

  // Times are relative to the last opening, so a window over midnight is no special case.
  const sinceOpeningMs = modulo(now.getTime() + HONG_KONG_OFFSET_MS - opensMs, DAY_MS)
  const openForMs = modulo(closesMs - opensMs, DAY_MS)
  if (sinceOpeningMs < openForMs) return { open: true }
  return { open: false, opensAt: new Date(now.getTime() - sinceOpeningMs + DAY_MS) }
}

/** Returns true if one window is open at every minute of the day at which another one is. */
export function coversOpening(one: OpeningWindow, other: OpeningWindow): boolean {
  if (one === 'always') return true
  if (other === 'always') return false
  const opensMs = parseTimeOfDay(one.opens)
  const lengthOf = ({ opens, closes }: { readonly opens: string; readonly closes: string }) =>
    modulo(parseTimeOfDay(closes) - parseTimeOfDay(opens), DAY_MS)
  return modulo(parseTimeOfDay(other.opens) - opensMs, DAY_MS) + lengthOf(other) <= lengthOf(one)
}

function parseTimeOfDay(text: string): number {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  if (!match) throw new RangeError(`openingAt: ${JSON.stringify(text)} is not a time of day like 09:30`)
  return (Number(match[1]) * 60 + Number(match[2])) * MINUTE_MS
}

function modulo(a: number, n: number): number {
  return ((a % n) + n) % n
}
