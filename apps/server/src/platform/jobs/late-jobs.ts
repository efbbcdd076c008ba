import type { Queryable } from '@clearwell/ledger/database'
import type { LogEvent } from '../log/log.ts'
import type { PlatformEvents } from '../log/platform-events.ts'
import type { Report } from '../log/report.ts'
import type { Clock } from '../time/clock.ts'
import { type Repeated, repeat } from '../time/repeat.ts'
import { readJobStates } from './job.store.ts'

const EVERY_MS = 60_000
/** A job counts as late when it has been due for this long, in milliseconds. */
const LATE_MS = 300_000

/** Logs on the leader when a job is late, and when it has caught up. */
export function watchLateJobs({
  db,
  clock,
  isLeader,
  logEvent,
  onError,
}: {
  readonly db: Queryable
  readonly clock: Clock
  readonly isLeader: () => boolean
  readonly logEvent: LogEvent<PlatformEvents>
  readonly onError: Report
}): Pick<Repeated, 'start' | 'stop' | 'now'> {
  const known = new Set<string>()

  async function run(): Promise<void> {
    if (!isLeader()) return known.clear()
    const nowMs = clock.now().getTime()
    const states = (await readJobStates(db)).map(({ name, due_at: dueAt, attempts }) => {
      return { job: name, lateMs: nowMs - dueAt.getTime(), failures: attempts }
    })
    const late = states.filter(({ lateMs }) => lateMs >= LATE_MS)
    for (const { job, lateMs, failures } of late) {
      if (!known.has(job)) logEvent('job_late', { job, seconds: Math.round(lateMs / 1000), failures })
      known.add(job)
    }
    for (const job of known) {
      if (late.some((each) => each.job === job)) continue
      known.delete(job)
      logEvent('job_caught_up', { job })
    }
  }

  return repeat({ run, everyMs: EVERY_MS, onError: (error) => onError(error, 'jobs') })
}
