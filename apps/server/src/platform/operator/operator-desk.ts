import type { Database } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import type { Report } from '../log/report.ts'
import { repeat } from '../time/repeat.ts'
import { type AnyOperatorAction, type OperatorRequest, operatorCommand } from './operator-action.ts'

/** How often the leader looks for requests. */
const LOOK_EVERY_MS = 1_000
/** Requests per look. */
const BATCH = 100

/** Executes the requests of the operator's command line, on the leader. */
export interface OperatorDesk {
  start(): void
  stop(): Promise<void>
  /** Executes the open requests now. */
  look(): Promise<void>
}

/** @param options.afterEach continues the work that a request began, such as the signature of a voucher. */
export function createOperatorDesk(options: {
  readonly db: Database
  readonly writer: Writer
  readonly actions: readonly AnyOperatorAction[]
  readonly afterEach: () => Promise<void>
  readonly onError: Report
}): OperatorDesk {
  const { db, writer, actions, afterEach, onError } = options
  const timer = repeat({
    async run() {
      if (!writer.isWriting) return
      for (const request of await readOpenRequests(db)) {
        const { isDone } = await writer.execute(operatorCommand(actions, request))
        if (isDone) await afterEach()
      }
    },
    everyMs: LOOK_EVERY_MS,
    onError: (error) => onError(error, 'operator requests'),
  })
  return { start: timer.start, stop: timer.stop, look: timer.now }
}

/** Requests that no server has executed yet, oldest first. */
function readOpenRequests(db: Database): Promise<OperatorRequest[]> {
  return db.query<OperatorRequest>(
    `select id, kind, payload, reason, asked_at from operator_requests where done_at is null
     order by asked_at, id limit $1`,
    [BATCH],
  )
}
