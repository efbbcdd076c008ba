import { formatUnits } from '@clearwell/money/decimal'
import type { VapidKeys } from '../../config/environment.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { PushRow, PushStore } from './push.store.ts'
import { isOfService } from './push-services.ts'
import { sendPush } from './send-push.ts'

/** How many are under way at a time. */
const AT_ONCE = 50
/** Longer than a service may take to answer. */
const LEASE_MS = 30_000
/** The pauses between the attempts; after the last one it is given up. */
const AGAIN_AFTER_MS = [10_000, 60_000, 300_000, 900_000] as const
/** A price of an hour ago is no news: it stays in the app. */
const NEWS_MS = 3_600_000

export interface PushSender {
  /** Sends what is due. One run at a time. */
  send(): Promise<void>
  /** Breaks off what is under way: it is due again elsewhere. */
  stop(): void
}

/** Sends delivered alerts to the devices of their owners: what a device is told is the alert itself and its language. */
export function createPushSender(deps: {
  readonly store: PushStore
  readonly clock: Clock
  readonly keys: VapidKeys
  /** Origins of the push services that may be called. */
  readonly services: readonly string[]
  readonly onError: (error: unknown, doing: string) => void
}): PushSender {
  const { store, clock, keys, services } = deps
  const stopping = new AbortController()
  const told = new Set<string>()

  async function sendOne(push: PushRow): Promise<void> {
    const now = clock.now()
    const leftMs = push.delivered_at.getTime() + NEWS_MS - now.getTime()
    // The configuration may have changed since the device was taken in.
    if (leftMs <= 0 || !isOfService(push.endpoint, services)) return store.done(push)
    const outcome = await sendPush(
      keys,
      {
        ...push,
        text: JSON.stringify({
          symbol: push.symbol,
          direction: push.direction,
          price: formatUnits(push.price_e18, 18),
          language: push.language,
        }),
        topic: push.alert_id,
        ttlS: Math.ceil(leftMs / 1_000),
      },
      stopping.signal,
    )
    // Not counted against the service: its answer was not waited for.
    if (stopping.signal.aborted) return
    switch (outcome.kind) {
      case 'sent':
        return store.done(push)
      case 'gone':
        return store.forget(push.subscription_id)
      case 'refused':
        tellOperator(push, outcome.why)
        return store.done(push)
      case 'again': {
        const pauseMs = AGAIN_AFTER_MS[push.attempts - 1]
        if (pauseMs === undefined) return store.done(push)
        return store.again(push, new Date(now.getTime() + Math.max(pauseMs, outcome.afterMs ?? 0)))
      }
    }
  }

  /** Once for each service and reason: most likely the keys are not those that the devices were taken in with. */
  function tellOperator({ endpoint }: PushRow, why: string): void {
    const message = `the push service ${new URL(endpoint).host} refuses messages: ${why}`
    if (told.has(message)) return
    told.add(message)
    deps.onError(new Error(message), 'alerts')
  }

  return {
    async send() {
      for (;;) {
        const due = await store.take(clock.now(), AT_ONCE, LEASE_MS)
        await Promise.all(due.map(sendOne))
        if (due.length < AT_ONCE || stopping.signal.aborted) return
      }
    },
    stop: () => stopping.abort(),
  }
}
