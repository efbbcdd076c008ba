import type { Writer } from '@clearwell/ledger/writer'
import { addDays, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { defineJob } from '../../platform/jobs/job.ts'
import { releaseRt } from './release-rt.ts'
import type { RichRules } from './rich.config.ts'

/** Releases RT at the end of each day in Hong Kong. After a pause, every missed day is released, oldest first. */
export function releaseDaily(rules: RichRules, writer: Pick<Writer, 'execute'>) {
  return defineJob({
    name: 'rich.release',
    recurs: { dailyAt: '00:00', missed: 'each' },
    async act({ dueAt }) {
      // Due at the first moment of the next day. A day that was released before changes nothing.
      await writer.execute(releaseRt(rules, addDays(hongKongDayOf(dueAt), -1)))
    },
    step: async () => 'done',
  })
}
