import { type Drain, defineDrain } from '../../platform/jobs/drain.ts'
import type { WatchablePrice } from '../../platform/prices/prices.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { type DeliverDependencies, deliverAlerts } from './deliver-alerts.ts'
import type { PushSender } from './push-sender.ts'

const everyMs = 500

/** Compares alerts with prices, and sends delivered ones to devices. A slow push service delays no delivery. */
export function alertDrains(
  deps: DeliverDependencies & {
    readonly clock: Clock
    readonly prices: () => Promise<readonly Pick<WatchablePrice, 'symbol' | 'priceE18'>[]>
    /** Undefined where the operator has no keys: then nothing is sent. */
    readonly push: PushSender | undefined
  },
): Drain[] {
  const { clock, prices, push } = deps
  const deliver = defineDrain({
    name: 'alert.deliver',
    everyMs,
    drain: async () => deliverAlerts(deps, await prices(), clock.now()),
  })
  return push ? [deliver, defineDrain({ name: 'alert.push', everyMs, drain: push.send })] : [deliver]
}
