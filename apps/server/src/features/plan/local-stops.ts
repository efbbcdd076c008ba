import { nextScheduledHour } from '@clearwell/rules/plans'
import { HOUR_MS } from '@clearwell/rules/spans'
import type { PlanStore } from './plan.store.ts'

const MOST_SCHEDULES = 1_000

/**
 * The moments at which an advance of the local clock stops for schedules: the end of each of their hours, when the drawn moment
 * has passed. Without the stops an advance would be an outage, after which one run is made.
 */
export function localStops(store: Pick<PlanStore, 'schedulesBefore'>) {
  return async (from: Date, to: Date): Promise<readonly Date[]> => {
    const stops = new Set<number>()
    for (const { anchor_day, every, hour, ends_at } of await store.schedulesBefore(to, MOST_SCHEDULES)) {
      if (anchor_day === null || every === null || hour === null) continue
      const schedule = { anchor: anchor_day, every, hour }
      const until = Math.min(to.getTime(), ends_at ? ends_at.getTime() + HOUR_MS : Number.POSITIVE_INFINITY)
      // The hour that is open now ends after `from`.
      let notBefore = new Date(from.getTime() - HOUR_MS)
      for (;;) {
        const { opensAt } = nextScheduledHour({ ...schedule, notBefore })
        const closesMs = opensAt.getTime() + HOUR_MS
        if (closesMs >= until) break
        if (closesMs > from.getTime()) stops.add(closesMs)
        notBefore = new Date(closesMs)
      }
    }
    return [...stops].sort((a, b) => a - b).map((ms) => new Date(ms))
  }
}
