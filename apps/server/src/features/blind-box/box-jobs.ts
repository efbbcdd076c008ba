import type { Database } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import { defineJob } from '../../platform/jobs/job.ts'
import { assignedBefore } from './blind-box.store.ts'
import { expireBoxes } from './box-money.ts'
import { advanceDays, type DayCloseDependencies } from './close-day.ts'

const CLOSE_EVERY_MS = 5_000
const EXPIRE_EVERY_MS = 60_000
const CLAIMABLE_MS = 30 * 86_400_000
/** Keeps the writer for a few milliseconds. */
const EXPIRED_PER_STEP = 100

/** Publishes commitments, closes days that have ended, and draws and divides them. */
export function closeDays(deps: DayCloseDependencies) {
  let hasAdvanced = false
  return defineJob<null, 'more'>({
    name: 'blind-box.close-days',
    recurs: { everyMs: CLOSE_EVERY_MS },
    async act() {
      hasAdvanced = (await advanceDays(deps)) === 'advanced'
    },
    step: async () => (hasAdvanced ? { next: 'more' } : 'done'),
  })
}

/** Returns unclaimed rewards to `rewards` after 30 days. */
export function expireRewards(deps: { readonly db: Database; readonly writer: Pick<Writer, 'execute'> }) {
  let mayHaveMore = false
  return defineJob<null, 'more'>({
    name: 'blind-box.expire-rewards',
    recurs: { everyMs: EXPIRE_EVERY_MS },
    async act({ now }) {
      const due = await assignedBefore(deps.db, new Date(now.getTime() - CLAIMABLE_MS), EXPIRED_PER_STEP)
      if (due.length > 0) await deps.writer.execute(expireBoxes(due))
      mayHaveMore = due.length === EXPIRED_PER_STEP
    },
    step: async () => (mayHaveMore ? { next: 'more' } : 'done'),
  })
}
