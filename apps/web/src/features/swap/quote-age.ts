import type { Answer } from '@clearwell/api/routes'
import { useEffect, useState } from 'react'

/** How long a quote holds where it does not say so itself. */
const DEFAULT_TTL_MS = 10_000
/** A change from here on is told to those who hear the screen: half a percent. */
const TOLD_FROM = 200n

/**
 * When a quote expires by the clock of this device, which may be wrong: only the span between the server's two times is
 * taken from the server. 0 where there is no quote.
 */
export function expiryMs(
  quote: Pick<Answer<'getQuote'>, 'time' | 'expires_at'> | undefined,
  answeredAtMs: number,
): number {
  if (quote === undefined || answeredAtMs === 0) return 0
  const ttlMs = Date.parse(quote.expires_at) - Date.parse(quote.time)
  return answeredAtMs + (ttlMs > 0 ? ttlMs : DEFAULT_TTL_MS)
}

/** Whether a moment is past, from that very moment on. */
export function useIsPast(momentMs: number): boolean {
  const [pastMs, setPastMs] = useState<number>()
  useEffect(() => {
    const timer = setTimeout(() => setPastMs(momentMs), Math.max(0, momentMs - Date.now()))
    return () => clearTimeout(timer)
  }, [momentMs])
  return pastMs === momentMs
}

/** Whether a figure has changed so much since it was last said that it is worth saying again. */
export function isWorthSaying(said: bigint | undefined, now: bigint): boolean {
  if (said === undefined) return true
  const change = now > said ? now - said : said - now
  return change * TOLD_FROM >= said
}
