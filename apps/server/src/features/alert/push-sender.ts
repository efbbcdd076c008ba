import { formatUnits } from '@clearwell/money/decimal'
import type { VapidKeys } from '../../config/service-variables.ts'
import type { Report } from '../../platform/log/report.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { PushRow, PushStore } from './push.store.ts'
import { isOfService } from './push-services.ts'
import { sendPush } from './send-push.ts'
import { createServiceHealth } from './service-health.ts'

/** Number of messages that are sent at the same time. */
const MAX_CONCURRENT_SENDS = 50
/** Longer than a service may take to respond. */
const LEASE_MS = 30_000
/** The pauses between attempts. After the last one the message is dropped. */
const AGAIN_AFTER_MS = [10_000, 60_000, 300_000, 900_000] as const
/** An older price is not worth a push. The notice stays in the app. */
const NEWS_MS = 3_600_000

interface PushSenderDependencies {
  readonly store: PushStore
  readonly clock: Clock
  readonly keys: VapidKeys
  /** Origins of the push services that may be called. */
  readonly services: readonly string[]
  /** Receives the outcome of each attempt. */
  readonly onOutcome?: (outcome: 'sent' | 'gone' | 'refused' | 'again') => void
  readonly onError: Report
}

export interface PushSender {
  /** Sends what is due. One run at a time. */
  send(): Promise<void>
  /** False while a push service cannot be reached. */
  isOk(): boolean
  /** Aborts the requests in progress. Their messages are due again elsewhere. */
  stop(): void
}

/** The message for a device. The device's own script words it. */
function messageOf(push: PushRow): string {
  const { language } = push
  if (push.body) return JSON.stringify({ ...push.body, language })
  const { symbol, direction, price_e18: price } = push
  return JSON.stringify({ symbol, direction, price: formatUnits(price, 18), language })
}

/** Sends delivered alerts to the devices of their owners. A message holds the alert and the device's language, nothing of the user. */
export function createPushSender(deps: PushSenderDependencies): PushSender {
  const { store, clock, keys, services } = deps
  const stopping = new AbortController()
  const reported = new Set<string>()
  const health = createServiceHealth(clock)

  async function sendOne(push: PushRow): Promise<void> {
    const now = clock.now()
    const leftMs = push.delivered_at.getTime() + NEWS_MS - now.getTime()
    // The configuration may have changed since the device subscribed.
    if (leftMs <= 0 || !isOfService(push.endpoint, services)) return store.done(push)
    const outcome = await sendPush(
      keys,
      {
        ...push,
        text: messageOf(push),
        topic: push.alert_id,
        ttlS: Math.ceil(leftMs / 1_000),
      },
      stopping.signal,
    )
    // Stopping is not the service's failure.
    if (stopping.signal.aborted) return
    deps.onOutcome?.(outcome.kind)
    health.note(new URL(push.endpoint).host, outcome.kind !== 'again')
    switch (outcome.kind) {
      case 'sent':
        return store.done(push)
      case 'gone':
        return store.forget(push.subscription_id)
      case 'refused':
        reportToOperator(push, outcome.why)
        return store.done(push)
      case 'again': {
        const pauseMs = AGAIN_AFTER_MS[push.attempts - 1]
        if (pauseMs === undefined) return store.done(push)
        return store.again(push, new Date(now.getTime() + Math.max(pauseMs, outcome.afterMs ?? 0)))
      }
    }
  }

  /** Once per service and reason. Most likely the devices subscribed with other keys. */
  function reportToOperator({ endpoint }: PushRow, why: string): void {
    const message = `the push service ${new URL(endpoint).host} rejects messages: ${why}`
    if (reported.has(message)) return
    reported.add(message)
    deps.onError(new Error(message), 'alerts')
  }

  return {
    async send() {
      for (;;) {
        const due = await store.take(clock.now(), MAX_CONCURRENT_SENDS, LEASE_MS)
        await Promise.all(due.map(sendOne))
        if (due.length < MAX_CONCURRENT_SENDS || stopping.signal.aborted) return
      }
    },
    isOk: health.isOk,
    stop: () => stopping.abort(),
  }
}
