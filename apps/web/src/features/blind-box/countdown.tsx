import { useEffect, useState } from 'react'
import { serverNowMs } from '../../api/server-clock.ts'
import { m } from '../../generated/messages.ts'

const [MINUTE, HOUR] = [60, 3_600]

/** The seconds until a moment by the server's clock, never below zero; `undefined` until that is known. */
function useSecondsUntil(iso: string | null | undefined): number | undefined {
  const nowMs = useServerNowMs()
  if (!iso || nowMs === undefined) return undefined
  return Math.max(0, Math.ceil((Date.parse(iso) - nowMs) / 1_000))
}

/** The time until a moment as `05:12:33`. Screen readers get hours and minutes, so that they do not count along. */
export function Countdown({ until, className }: { until: string; className?: string }) {
  const seconds = useSecondsUntil(until)
  if (seconds === undefined) return <span className={className}>—</span>
  const [h, min] = [Math.floor(seconds / HOUR), Math.floor((seconds % HOUR) / MINUTE)]
  return (
    <span role="timer" className={className}>
      <span className="sr-only">{m.box_time_left({ h, m: min })}</span>
      <span aria-hidden="true" className="figures">
        {[h, min, seconds % MINUTE].map((part) => String(part).padStart(2, '0')).join(':')}
      </span>
    </span>
  )
}

/**
 * The server's time now, renewed every second, at the earliest: this device's clock may be wrong. `undefined` before a
 * response that carries it.
 */
function useServerNowMs(): number | undefined {
  const [, setDeviceMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setDeviceMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return serverNowMs()
}
