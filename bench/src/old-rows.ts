import type { Database } from '@clearwell/ledger/database'

const PER_STATEMENT = 50_000
/** No wallet signs in with this address. */
const OWNER = `0x${'0'.repeat(40)}`

/** Stored responses that are older than their retention, with the server's job that deletes them under control. */
export interface OldRows {
  /** Lets the job run from now on, or holds it back. */
  setRunning(isRunning: boolean): Promise<void>
  countLeft(): Promise<number>
}

/** Adds as many old responses to the database of a running server. */
export async function addOldRows(db: Database, count: number): Promise<OldRows> {
  for (let from = 1; from <= count; from += PER_STATEMENT) {
    await db.query(
      `insert into command_outcomes (owner, key, kind, payload_hash, outcome, at)
       select $1, 'bench-old-' || number, 'swap', sha256(number::text::bytea),
         json_build_object('ok', json_build_object('transaction_id', md5(number::text), 'status', 'completed')),
         now() - interval '60 days'
       from generate_series($2::integer, $3::integer) as number`,
      [OWNER, from, Math.min(count, from + PER_STATEMENT - 1)],
    )
  }
  await db.script('checkpoint')
  return {
    async setRunning(isRunning) {
      const due = isRunning ? "now() - interval '1 minute'" : "now() + interval '1 day'"
      await db.query(`update jobs set due_at = ${due}, retry_at = null where name = 'retention.stored-answers'`)
      // The leader looks for due jobs every second.
      await new Promise((resolve) => setTimeout(resolve, 2_000))
    },
    async countLeft() {
      const [row] = await db.query<{ left: number }>(
        'select count(*)::integer as left from command_outcomes where owner = $1',
        [OWNER],
      )
      return row?.left ?? 0
    },
  }
}
