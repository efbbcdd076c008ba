import { MINUTE_MS } from '@clearwell/rules/spans'
import { type Drain, defineDrain } from '../../platform/jobs/drain.ts'
import type { Recorder } from '../../platform/metrics/metrics.ts'
import type { Platform } from '../../platform/platform.ts'
import { readExits } from './canary.store.ts'
import { canaryDueAt } from './describe-canary.ts'
import { type CanaryConfig, canaryOf } from './exit.config.ts'
import type { exitMetrics } from './exit.metrics.ts'
import { createReminder } from './remind.ts'

type Dependencies = Pick<Platform, 'db' | 'clock' | 'writer' | 'metrics' | 'onError'> & {
  readonly config: Pick<CanaryConfig, 'exit'>
}

/** The leader's look at the canary, with its metric and its alarm; none without a canary. */
export function watchCanary(deps: Dependencies, recorder: Recorder<typeof exitMetrics>): Drain[] {
  const { db, clock, config, metrics, onError, writer } = deps
  const account = canaryOf(config)
  if (account === undefined) return []
  const remind = createReminder(clock, onError, 'canary')
  const since = clock.now()
  let dueAt: Date | undefined
  const lateMs = () => (dueAt ? Math.max(0, clock.now().getTime() - dueAt.getTime()) : undefined)
  metrics.onCollect(() => {
    const late = writer.isWriting ? lateMs() : undefined
    recorder.set('clearwell_canary_overdue_seconds', late === undefined ? [] : [{ labels: {}, value: late / 1_000 }])
  })
  return [
    defineDrain({
      name: 'exit.watch-canary',
      everyMs: MINUTE_MS,
      async drain() {
        const [newest] = await readExits(db, account, { limit: 1 })
        dueAt = canaryDueAt(newest, since)
        if (!lateMs()) return
        const open = newest && !newest.endedAt
        remind(
          open
            ? `the canary asked for an exit at ${newest.requestedAt.toISOString()}, and it has not ended`
            : `the canary should have asked for an exit by ${dueAt.toISOString()}`,
          open ? 'open' : 'idle',
        )
      },
    }),
  ]
}
