import type { ResponseOf } from '@clearwell/api/routes'
import { useEffect, useState } from 'react'
import { useCall } from '../../api/use-call.ts'

export type Reserves = ResponseOf<'proofReserves'>

/** As often as the server compares the ledger with the vault by default. */
const RESERVES_POLL_MS = 20_000

/** The server's last comparison, polled while the page is seen, and read again whenever home is opened. */
export function useReserves() {
  return useCall('proofReserves', {}, { refetchInterval: RESERVES_POLL_MS })
}

/** The age of a comparison in seconds, counted on from the response; `undefined` before the first comparison. */
export function useAgeSeconds({
  data,
  dataUpdatedAt,
}: {
  readonly data: Reserves | undefined
  readonly dataUpdatedAt: number
}): number | undefined {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  if (data?.age_seconds == null) return undefined
  return data.age_seconds + Math.max(0, Math.floor((nowMs - dataUpdatedAt) / 1_000))
}

/** How the server judges its own comparison. `old`: too long ago to prove anything. */
export type ReservesState = 'backed' | 'missing' | 'ledger' | 'old' | 'unchecked'

export function stateOf({ block_number, fault, healthy }: Reserves): ReservesState {
  if (block_number === null) return 'unchecked'
  if (fault !== null) return fault
  return healthy === null ? 'old' : 'backed'
}
