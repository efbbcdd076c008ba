import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { m } from '../../generated/messages.ts'
import { useWallet, wallet } from '../../wallet/wallet.ts'

const CHAIN_TIME_POLL_MS = 10_000
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The time until a deadline on the chain. */
export interface TimeLeft {
  /** Seconds by the later of two clocks, the chain's and this device's, so the time is never overstated. */
  readonly seconds: number
  /** True if the chain's time has passed the deadline. The chain's clock decides, because a device's may be wrong. */
  readonly isOver: boolean
}

/** @param deadline ISO 8601. Counts down once a second while `active`. */
export function useTimeLeft(deadline: string | undefined, active: boolean): TimeLeft | undefined {
  const chain = useChainTime(active).data
  const nowMs = useNowMs(active)
  return deadline === undefined ? undefined : timeLeft(Date.parse(deadline), { nowMs, chain })
}

/** Pure: what `useTimeLeft` makes of the clocks. `chain.seconds` is the newest block's time when it was read, at `readMs`. */
export function timeLeft(
  deadlineMs: number,
  { nowMs, chain }: { nowMs: number; chain: { seconds: number; readMs: number } | undefined },
): TimeLeft {
  const deadline = Math.floor(deadlineMs / 1_000)
  const device = Math.floor(nowMs / 1_000)
  const onChain = chain && chain.seconds + Math.max(0, Math.floor((nowMs - chain.readMs) / 1_000))
  return {
    seconds: Math.max(0, deadline - Math.max(device, onChain ?? device)),
    isOver: (chain?.seconds ?? device) > deadline,
  }
}

/** A span of time in its two largest units. */
export function timeLeftText(seconds: number): string {
  if (seconds >= DAY) return m.wallet_out_left_days({ n: Math.floor(seconds / DAY) })
  if (seconds >= HOUR)
    return m.wallet_out_left_hours({ h: Math.floor(seconds / HOUR), m: Math.floor((seconds % HOUR) / MINUTE) })
  if (seconds > 0) return m.wallet_out_left_minutes({ m: Math.floor(seconds / MINUTE), s: seconds % MINUTE })
  return m.wallet_out_left_none()
}

function useChainTime(active: boolean) {
  const { status } = useWallet()
  return useQuery({
    queryKey: ['chainTime'],
    queryFn: async () => ({ seconds: Number(await (await wallet()).readChainTime()), readMs: Date.now() }),
    enabled: active && status === 'connected',
    refetchInterval: CHAIN_TIME_POLL_MS,
  })
}

function useNowMs(active: boolean): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    if (!active) return
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [active])
  return nowMs
}
