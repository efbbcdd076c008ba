import type { Report } from '../../platform/log/report.ts'
import type { WatchablePrice } from '../../platform/prices/prices.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { repeat } from '../../platform/time/repeat.ts'
import { type DeliverDependencies, deliverAlerts } from './deliver-alerts.ts'
import type { PushSender } from './push-sender.ts'

export interface AlertDesk {
  start(): void
  stop(): Promise<void>
  /** Looks now, and ends once everything that is due was sent. */
  check(): Promise<void>
}

/** On the leader: compares alerts with prices again and again, and sends delivered ones to devices. */
export function createAlertDesk(
  deps: DeliverDependencies & {
    readonly clock: Clock
    readonly isWriting: () => boolean
    readonly prices: () => Promise<readonly Pick<WatchablePrice, 'symbol' | 'priceE18'>[]>
    /** Undefined where the operator has no keys: then nothing is sent. */
    readonly push: PushSender | undefined
    readonly everyMs: number
    readonly onError: Report
  },
): AlertDesk {
  const { clock, push, isWriting } = deps
  let sending: Promise<unknown> | undefined

  async function run(): Promise<void> {
    if (isWriting()) await deliverAlerts(deps, await deps.prices(), clock.now())
    send()
  }

  /** Beside the deliveries: a slow push service must not delay them. */
  function send(): void {
    if (!push || sending || !isWriting()) return
    sending = push
      .send()
      .catch((error: unknown) => timer.report(error))
      .finally(() => {
        sending = undefined
      })
  }

  const timer = repeat({ run, everyMs: deps.everyMs, onError: (error) => deps.onError(error, 'alerts') })

  return {
    start: timer.start,
    async stop() {
      push?.stop()
      await timer.stop()
      await sending
    },
    async check() {
      await timer.now()
      // A run in progress may have begun before this one.
      await sending
      send()
      await sending
    },
  }
}
