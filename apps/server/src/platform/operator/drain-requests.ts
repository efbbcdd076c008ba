import type { Database } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import { type Drain, defineDrain, drainRows } from '../jobs/drain.ts'
import type { LogEvent } from '../log/log.ts'
import type { PlatformEvents } from '../log/platform-events.ts'
import { type AnyOperatorAction, type OperatorRequest, operatorCommand } from './operator-action.ts'

/**
 * Executes the requests of the operator's command line.
 *
 * @param options.afterEach continues the work that a request began, such as the signature of a voucher.
 */
export function drainRequests({
  db,
  writer,
  actions,
  afterEach,
  logEvent,
}: {
  readonly db: Database
  readonly writer: Pick<Writer, 'execute'>
  readonly actions: readonly AnyOperatorAction[]
  readonly afterEach: () => Promise<void>
  readonly logEvent: LogEvent<PlatformEvents>
}): Drain {
  return defineDrain({
    name: 'operator.execute-requests',
    everyMs: 1_000,
    drain: drainRows({
      limit: 100,
      read: (limit) => readOpenRequests(db, limit),
      idOf: ({ id }) => id,
      async act(requests) {
        for (const request of requests) {
          const { isDone, text: result } = await writer.execute(operatorCommand(actions, request))
          const { id, kind: action, reason } = request
          logEvent(isDone ? 'operator_action_done' : 'operator_action_refused', { action, id, reason, result })
          if (isDone) await afterEach()
        }
      },
    }),
  })
}

/** Requests that no server has executed yet, oldest first. */
function readOpenRequests(db: Database, limit: number): Promise<OperatorRequest[]> {
  return db.query<OperatorRequest>(
    `select id, kind, payload, reason, asked_at from operator_requests where done_at is null
     order by asked_at, id limit $1`,
    [limit],
  )
}
