import { type Context, type RowWrite, write } from '@clearwell/ledger/command'
import type { Queryable } from '@clearwell/ledger/database'
import { column, defineWriterTable, until } from '@clearwell/ledger/table'
import type { NoticeDraft } from './notice.store.ts'

/** Notices that a command decided, one row for all of a command. The servers send them after its commit. */
export const unsentNotices = defineWriterTable(
  'unsent_notices',
  until('the notices are sent, within a second'),
  { id: column.text, drafts: column.text, decided_at: column.time },
  { isNeverRead: true },
)

/**
 * Has notices sent once the command that decides them is committed. Sending numbers all notices in one order, so the writer
 * would wait for the transactions of other senders.
 */
export function decideNotices(drafts: readonly NoticeDraft[], { id, now }: Context): RowWrite[] {
  if (drafts.length === 0) return []
  return [write(unsentNotices, { id: id('notices'), drafts: JSON.stringify(drafts), decided_at: now })]
}

/** The notices of one command. */
interface UnsentNotices {
  readonly drafts: readonly NoticeDraft[]
  readonly decidedAt: Date
}

/** Returns whether notices wait to be sent. */
export async function hasUnsentNotices(db: Queryable): Promise<boolean> {
  return (await db.query('select from unsent_notices limit 1')).length > 0
}

/**
 * Takes the notices of the commands that have waited longest, in the transaction that sends them. A second server that takes
 * notices at the same time gets others.
 */
export async function takeUnsentNotices(tx: Queryable, commands: number): Promise<UnsentNotices[]> {
  const rows = await tx.query<{ id: string; drafts: string; decided_at: Date }>(
    `delete from unsent_notices where id = any(array(
       select id from unsent_notices order by decided_at, id limit $1 for update skip locked
     )) returning id, drafts, decided_at`,
    [commands],
  )
  return rows
    .toSorted((a, b) => a.decided_at.getTime() - b.decided_at.getTime() || (a.id < b.id ? -1 : 1))
    .map(({ drafts, decided_at: decidedAt }) => ({ drafts: JSON.parse(drafts) as NoticeDraft[], decidedAt }))
}
