import type { Database } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import { type Drain, defineDrain, drainRows } from '../../platform/jobs/drain.ts'
import type { Notices } from '../../platform/notices/notices.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { passDueRequests } from './request-upgrade.ts'
import type { RichRules } from './rich.config.ts'
import type { RichStore } from './rich.store.ts'
import { markAnnounced, noticesOf } from './rich-notices.ts'
import { returnDeposits } from './step-down.ts'

const everyMs = 2_000
/** Rows that one command changes: it must not hold the writer. */
const limit = 50

/** Passes requests without a response, returns deposits whose notice has ended, and sends notices. Each fails alone. */
export function richDrains(deps: {
  readonly db: Database
  readonly store: RichStore
  readonly writer: Writer
  readonly clock: Clock
  readonly notices: Pick<Notices, 'send'>
  readonly rules: RichRules
}): Drain[] {
  const { db, store, writer, clock, notices, rules } = deps
  return [
    defineDrain({
      name: 'rich.pass-requests',
      everyMs,
      drain: drainRows({
        limit,
        read: () => store.dueRequests(clock.now(), limit),
        idOf: (id) => id,
        act: (ids) => writer.execute(passDueRequests(rules, ids)),
      }),
    }),
    defineDrain({
      name: 'rich.return-deposits',
      everyMs,
      drain: drainRows({
        limit,
        read: () => store.dueStepDowns(clock.now(), limit),
        idOf: (id) => id,
        act: (ids) => writer.execute(returnDeposits(ids)),
      }),
    }),
    defineDrain({
      name: 'rich.announce-requests',
      everyMs,
      drain: drainRows({
        limit,
        read: () => store.requestsToAnnounce(limit),
        idOf: ({ id }) => id,
        async act(rows) {
          await db.transaction((tx) => notices.send(tx, rows.flatMap(noticesOf), clock.now()))
          await writer.execute(markAnnounced(rows))
        },
      }),
    }),
  ]
}
