import type { Queryable } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import { REMINDER_MS } from '@clearwell/rules/box-status'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import type { boxRounds } from '../../domain/boxes/box.tables.ts'

export type RoundRow = Pick<RowOf<typeof boxRounds>, 'day' | 'kind' | 'cursor_id'>

/** Schedules the work on the boxes of a day that is divided now. */
export function insertRounds(
  tx: Queryable,
  day: HongKongDay,
  { dividedAt, claimUntil }: { readonly dividedAt: Date; readonly claimUntil: Date },
): Promise<unknown> {
  return tx.query(
    `insert into box_rounds (day, kind, due_at)
     values ($1, 'announce', $2), ($1, 'remind', $3), ($1, 'expire', $4)`,
    [day, dividedAt, new Date(claimUntil.getTime() - REMINDER_MS), claimUntil],
  )
}

/** Reads the round that has been due for the longest time. */
export async function dueRound(on: Queryable, now: Date): Promise<RoundRow | undefined> {
  const [row] = await on.query<RoundRow>(
    'select day, kind, cursor_id from box_rounds where done_at is null and due_at <= $1 order by due_at, day limit 1',
    [now],
  )
  return row
}

/** Holds a round until the transaction ends. Returns false if another server has advanced it meanwhile. */
export async function holdRound(tx: Queryable, { day, kind, cursor_id }: RoundRow): Promise<boolean> {
  const rows = await tx.query(
    'select from box_rounds where day = $1 and kind = $2 and cursor_id = $3 and done_at is null for update skip locked',
    [day, kind, cursor_id],
  )
  return rows.length > 0
}

/** Continues a round after a box, or ends it. */
export function advanceRound(tx: Queryable, { day, kind }: RoundRow, cursorId: string | undefined, now: Date) {
  return tx.query(
    'update box_rounds set cursor_id = coalesce($3, cursor_id), done_at = $4 where day = $1 and kind = $2',
    [day, kind, cursorId ?? null, cursorId === undefined ? now : null],
  )
}
