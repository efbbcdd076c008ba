import { type ReactNode, useEffect, useState } from 'react'

const RADIUS = 17
const LENGTH = 2 * Math.PI * RADIUS

/**
 * A ring around the refresh control that empties as the quote ages: full when it arrived, empty when it expires. It shows
 * the real age once a second and moves only then. Decorative: the age is beside it in words.
 */
export function FreshnessRing({
  atMs,
  expiresAtMs,
  isOld,
  children,
}: {
  /** When the quote arrived; 0 before it did. */
  atMs: number
  expiresAtMs: number
  isOld: boolean
  children: ReactNode
}) {
  const left = remainingOf(useNowMs(), { atMs, expiresAtMs })
  return (
    <span className="relative -me-1 inline-flex shrink-0">
      <svg aria-hidden="true" viewBox="0 0 44 44" className="pointer-events-none absolute inset-0 -rotate-90">
        <circle cx="22" cy="22" r={RADIUS} fill="none" strokeWidth="2" className="stroke-line" />
        <circle
          cx="22"
          cy="22"
          r={RADIUS}
          fill="none"
          strokeWidth="2"
          strokeLinecap="round"
          strokeDasharray={LENGTH}
          strokeDashoffset={LENGTH * (1 - left)}
          className={isOld ? 'stroke-warn' : 'stroke-accent'}
        />
      </svg>
      {children}
    </span>
  )
}

/** The part of a quote's life that is left, from 1 to 0. */
export function remainingOf(nowMs: number, { atMs, expiresAtMs }: { atMs: number; expiresAtMs: number }): number {
  if (atMs === 0 || expiresAtMs <= atMs) return 0
  return Math.min(1, Math.max(0, (expiresAtMs - nowMs) / (expiresAtMs - atMs)))
}

/** The time, once a second. */
export function useNowMs(): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}
