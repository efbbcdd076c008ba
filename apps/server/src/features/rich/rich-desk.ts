import type { Database } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import type { Notices } from '../../platform/notices/notices.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { repeat } from '../../platform/time/repeat.ts'
import { passDueRequests } from './request-upgrade.ts'
import type { RichRules } from './rich.config.ts'
import type { RichStore } from './rich.store.ts'
import { markAnnounced, noticesOf } from './rich-notices.ts'
import { returnDeposits } from './step-down.ts'

const EVERY_MS = 2_000
/** Rows that one command changes: it must not hold the writer. A run takes as many commands as it needs. */
const BATCH = 50

export interface RichDesk {
  start(): void
  stop(): Promise<void>
  /** Does everything that is due now. */
  check(): Promise<void>
}

/**
 * On the leader: passes requests without a response, returns deposits whose notice has ended, and sends notices. Each row says
 * whether it is due, so a leader that dies loses and repeats nothing.
 */
export function createRichDesk(deps: {
  readonly db: Database
  readonly store: RichStore
  readonly writer: Writer
  readonly clock: Clock
  readonly notices: Pick<Notices, 'send'>
  readonly rules: RichRules
  readonly onError: (error: unknown, doing: string) => void
}): RichDesk {
  const { db, store, writer, clock, notices, rules, onError } = deps

  /** Repeats a command until nothing is due. A row that stays due is left for the next run. */
  async function drain<Row>(
    read: () => Promise<Row[]>,
    idOf: (row: Row) => string,
    act: (rows: Row[]) => Promise<unknown>,
  ) {
    const seen = new Set<string>()
    for (;;) {
      const found = await read()
      const rows = found.filter((row) => !seen.has(idOf(row)))
      if (rows.length === 0) return
      await act(rows)
      for (const row of rows) seen.add(idOf(row))
      if (found.length < BATCH) return
    }
  }

  const steps: readonly (() => Promise<void>)[] = [
    () =>
      drain(
        () => store.dueRequests(clock.now(), BATCH),
        (id) => id,
        (ids) => writer.execute(passDueRequests(rules, ids)),
      ),
    () =>
      drain(
        () => store.dueStepDowns(clock.now(), BATCH),
        (id) => id,
        (ids) => writer.execute(returnDeposits(ids)),
      ),
    () =>
      drain(
        () => store.requestsToAnnounce(BATCH),
        ({ id }) => id,
        async (rows) => {
          await db.transaction((tx) => notices.send(tx, rows.flatMap(noticesOf), clock.now()))
          await writer.execute(markAnnounced(rows))
        },
      ),
  ]

  /** Each step fails alone: the others still run. @throws the first error, after all of them. */
  async function run(): Promise<void> {
    if (!writer.isWriting) return
    const errors: unknown[] = []
    for (const step of steps) await step().catch((error: unknown) => errors.push(error))
    if (errors.length > 0) throw errors[0]
  }

  const timer = repeat({ run, everyMs: EVERY_MS, onError: (error) => onError(error, 'upgrade hub') })
  return { start: timer.start, stop: timer.stop, check: timer.now }
}
