import { requireEntriesAfter } from '@clearwell/ledger/archives'
import type { Queryable } from '@clearwell/ledger/database'
import { type PostingRow, readUserPostings } from '@clearwell/ledger/read-postings'
import { readTip } from '@clearwell/ledger/reads'
import { column, defineTable, forever } from '@clearwell/ledger/table'
import { type AnyJob, defineJob } from '../jobs/job.ts'

export const ledgerFollowers = defineTable('ledger_followers', forever('one row for each reader of the ledger'), {
  name: column.text,
  seq: column.bigint,
})

const EVERY_MS = 1_000
/** Entries per step: a step takes milliseconds. */
const PER_STEP = 500n

/**
 * Defines a job that reads the ledger in its order, from the first entry on, and keeps figures that derive from it. Each
 * entry counts once: the position in the ledger is stored in the transaction that stores the figures.
 *
 * @param follow stores the figures of the next postings on users' accounts.
 */
export function followLedger({
  name,
  follow,
}: {
  /** `<feature>.<what it does>`, also the name of the position. */
  readonly name: string
  readonly follow: (tx: Queryable, postings: readonly PostingRow[]) => Promise<void>
}): AnyJob {
  return defineJob({
    name,
    recurs: { everyMs: EVERY_MS },
    async step(tx) {
      await tx.query('insert into ledger_followers (name, seq) values ($1, 0) on conflict (name) do nothing', [name])
      const [follower] = await tx.query<{ seq: bigint }>(
        'select seq from ledger_followers where name = $1 for update',
        [name],
      )
      const after = follower?.seq ?? 0n
      const tip = await readTip(tx)
      const to = tip.seq < after + PER_STEP ? tip.seq : after + PER_STEP
      if (to === after) return 'done'
      // A reader that is new, or new again, would miss the entries of archives.
      await requireEntriesAfter(tx, after)
      await follow(tx, await readUserPostings(tx, { after, to, accounts: undefined }))
      await tx.query('update ledger_followers set seq = $2 where name = $1', [name, to.toString()])
      return to < tip.seq ? { next: {} } : 'done'
    },
  })
}
