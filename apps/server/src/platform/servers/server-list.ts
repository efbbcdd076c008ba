import type { Database } from '@clearwell/ledger/database'
import { readLease } from '@clearwell/ledger/reads'
import { column, defineTable, until } from '@clearwell/ledger/table'
import type { Writer } from '@clearwell/ledger/writer'

export const servers = defineTable('servers', until('the server stops, or another one starts at its address'), {
  url: column.text,
  holder: column.text,
  started_at: column.time,
})

/** The servers of one ledger, as they find each other: through the database that they share. */
export interface ServerList {
  /** Says where this server is reached. One that was there before it at the same address is gone. */
  enter(url: string): Promise<void>
  leave(): Promise<void>
  /** This process's name: unguessable, and known only to the servers of this database. */
  readonly holder: string
  /** Where the server is reached that writes, and its name; `undefined` while none does, or while it is this one. */
  writer(): Promise<{ readonly url: string; readonly holder: string } | undefined>
  /** Returns whether another server is listed. It may have been killed since. */
  hasOthers(): Promise<boolean>
  /** When the one that writes last gave a sign of life, as text that only changes with it. */
  writerSeenAt(): Promise<string | undefined>
}

/** @param holder names this process in the writer's lease. */
export function createServerList(db: Database, holder: string): ServerList {
  return {
    async enter(url) {
      await db.query(
        `insert into servers (url, holder) values ($1, $2)
         on conflict (url) do update set holder = excluded.holder, started_at = excluded.started_at`,
        [url, holder],
      )
    },
    async leave() {
      await db.query('delete from servers where holder = $1', [holder])
    },
    holder,
    async writer() {
      const [lease, servers] = await Promise.all([
        readLease(db),
        db.query<{ url: string; holder: string }>('select url, holder from servers where holder <> $1', [holder]),
      ])
      return servers.find((server) => server.holder === lease?.holder)
    },
    async hasOthers() {
      const [row] = await db.query<{ has: boolean }>('select exists (select from servers where holder <> $1) as has', [
        holder,
      ])
      return row?.has ?? false
    },
    async writerSeenAt() {
      return (await readLease(db))?.renewedAt
    },
  }
}

/** Waits until this server writes or another one does. A leader that was killed holds its lease a moment longer. */
export async function untilWriting(
  writer: Pick<Writer, 'isWriting'>,
  servers: Pick<ServerList, 'writerSeenAt'>,
  leaseTtlMs: number,
): Promise<void> {
  const deadline = Date.now() + leaseTtlMs + 2_000
  const seenAt = await servers.writerSeenAt()
  while (!writer.isWriting && Date.now() < deadline && (await servers.writerSeenAt()) === seenAt)
    await new Promise((resolve) => setTimeout(resolve, 50))
}
