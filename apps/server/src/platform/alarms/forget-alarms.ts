import type { AnyJob } from '../jobs/job.ts'
import { defineJob } from '../jobs/job.ts'
import type { AlarmStore } from './alarm.store.ts'

const DAY_MS = 86_400_000
/** An alarm that was not raised for this long is deleted. */
const KEEP_MS = 90 * DAY_MS
const DELETED_PER_STEP = 1_000

export function forgetAlarms(store: AlarmStore): AnyJob {
  return defineJob({
    name: 'alarms.forget-old',
    recurs: { everyMs: DAY_MS },
    async step(tx, { now }) {
      const deleted = await store.deleteBefore(tx, new Date(now.getTime() - KEEP_MS), DELETED_PER_STEP)
      return deleted.length < DELETED_PER_STEP ? 'done' : { next: {} }
    },
  })
}
