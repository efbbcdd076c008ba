import type { RowOf } from '@clearwell/ledger/table'
import type { breakerEvents } from '../platform/custody/solvency-breaker.ts'
import { VAULT_MOVE_STOP } from '../platform/ledger/breaker.ts'
import type { OperatorCommand } from './command.ts'
import { withDatabase } from './open-books.ts'

/** The number of events that are listed. */
const LATEST = 50

type EventRow = Omit<RowOf<typeof breakerEvents>, 'id'>

export const breaker: OperatorCommand = {
  about: 'shows which breakers are open and why, with the latest changes; exit code 1 while one is open',
  run: ({ json }) =>
    withDatabase(async (db) => {
      const open = await db.query<{ id: string; stopped_at: Date; reason: string; detail: string }>(
        'select id, stopped_at, reason, detail from breakers where stopped_at is not null order by id',
      )
      const events = await db.query<EventRow>(
        'select breaker, kind, reason, detail, at from breaker_events order by at desc, id desc limit $1',
        [LATEST],
      )
      const text = json
        ? JSON.stringify({ open, events }, null, 2)
        : [...states(open), '', ...history(events)].join('\n')
      return { text, faults: [], exitCode: open.length === 0 ? 0 : 1 }
    }),
}

function states(open: readonly { id: string; stopped_at: Date; reason: string; detail: string }[]): string[] {
  if (open.length === 0) return ['No breaker is open: swaps and withdrawals continue.']
  return open.map(
    ({ id, stopped_at, reason, detail }) =>
      `${id} has been open since ${stopped_at.toISOString()} (${reason}): ${detail}\n${id === VAULT_MOVE_STOP.id ? 'Transfers out are stopped.' : 'Swaps and withdrawals are stopped.'}`,
  )
}

function history(events: readonly EventRow[]): string[] {
  if (events.length === 0) return ['No breaker has ever been open.']
  return events.map(({ at, breaker: id, kind, detail }) => `${at.toISOString()}  ${id}  ${kind.padEnd(8)}  ${detail}`)
}
