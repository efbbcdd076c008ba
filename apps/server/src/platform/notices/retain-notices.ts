import { defineJob } from '../jobs/job.ts'
import { deleteExcess, deleteRead } from './notice.store.ts'

const EVERY_MS = 3_600_000
/** Notices kept per user: enough to look back, few enough for a short list. */
const KEPT_PER_USER = 500
const READ_PER_STEP = 1_000
const USERS_PER_STEP = 200
/** Sorts before every user. */
const FIRST = ''

/** Deletes notices that were read long ago, and the oldest of users who have too many. */
export function retainNotices({ keepReadMs }: { readonly keepReadMs: number }) {
  return defineJob<null, { afterUser: string }>({
    name: 'notices.retention',
    recurs: { everyMs: EVERY_MS },
    async step(tx, { state, now }) {
      const deleted = await deleteRead(tx, new Date(now.getTime() - keepReadMs), READ_PER_STEP)
      const afterUser = state?.afterUser ?? FIRST
      if (deleted === READ_PER_STEP) return { next: { afterUser } }
      const last = await deleteExcess(tx, { afterUser, users: USERS_PER_STEP, keep: KEPT_PER_USER })
      return last === undefined ? 'done' : { next: { afterUser: last } }
    },
  })
}
