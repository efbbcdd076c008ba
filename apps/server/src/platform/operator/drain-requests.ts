import type { Database } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import { type Drain, defineDrain, drainRows } from '../jobs/drain.ts'
import type { LogEvent } from '../log/log.ts'
import type { PlatformEvents } from '../log/platform-events.ts'
import type { Clock } from '../time/clock.ts'
import { executeSigned } from './execute-signed.ts'
import type { OperatorRequest } from './operator.tables.ts'
import type { AnyOperatorAction } from './operator-action.ts'

/** The columns of a request that its command line wrote. */
export const REQUEST_COLUMNS = 'id, kind, payload, reason, asked_at, chain_id, vault, expires_at'

/**
 * Executes the requests of the operator's command line that enough persons have signed.
 *
 * @param options.afterEach continues the work that a request began, such as the signature of a voucher.
 */
export function drainRequests({
  db,
  writer,
  actions,
  clock,
  afterEach,
  logEvent,
}: {
  readonly db: Database
  readonly writer: Pick<Writer, 'execute'>
  readonly actions: readonly AnyOperatorAction[]
  readonly clock: Clock
  readonly afterEach: () => Promise<void>
  readonly logEvent: LogEvent<PlatformEvents>
}): Drain {
  return defineDrain({
    name: 'operator.execute-requests',
    everyMs: 1_000,
    drain: drainRows({
      limit: 100,
      read: (limit) => readSignedRequests(db, { now: clock.now(), limit }),
      idOf: ({ id }) => id,
      async act(requests) {
        for (const request of requests) {
          const outcome = await executeSigned({ db, writer, actions, clock }, request)
          if (!outcome) continue
          const { id, kind: action, reason } = request
          const { isDone, text: result } = outcome
          logEvent(isDone ? 'operator_action_done' : 'operator_action_refused', { action, id, reason, result })
          if (isDone) await afterEach()
        }
      },
    }),
  })
}

/** Requests that are not decided and have a signature, or have expired, oldest first. */
function readSignedRequests(
  db: Database,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<OperatorRequest[]> {
  return db.query<OperatorRequest>(
    `select ${REQUEST_COLUMNS} from operator_requests where done_at is null and
       (expires_at <= $1 or exists (select from operator_signatures where request_id = operator_requests.id))
     order by asked_at, id limit $2`,
    [now, limit],
  )
}
