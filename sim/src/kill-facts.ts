import { auditBooks } from '@clearwell/ledger/audit'
import type { Database } from '@clearwell/ledger/database'
import type { StepOutcome } from './kill-steps.ts'

/** Everything that the kill test checks after each start. */
export async function readFacts(db: Database) {
  const [cursor] = await db.query<{ number: bigint }>('select number from chain_cursors')
  const ids = async (table: string) =>
    (await db.query<{ id: string }>(`select id from ${table} order by id`)).map((row) => row.id)
  return {
    faults: await auditBooks(db),
    block: Number(cursor?.number ?? -1),
    entries: await db.query<{ kind: string; reference: string }>('select kind, reference from entries order by seq'),
    responses: await db.query<{ key: string; kind: string; outcome: StepOutcome }>(
      'select key, kind, outcome from command_outcomes',
    ),
    balances: await db.query<{ account: string; asset: string; units: bigint }>(
      'select account, asset, units from balances where units <> 0 order by account, asset',
    ),
    swapOrders: await ids('swap_orders'),
    depositOrders: await ids('deposit_orders'),
    deposits: await ids('deposits'),
    activated: (
      await db.query<{ id: string }>('select id from members where activated_at is not null order by id')
    ).map((row) => row.id),
    trades: Number(
      (await db.query<{ count: bigint }>(`select sum(trade_count) as count from swap_candles where span = '1m'`))[0]
        ?.count ?? 0,
    ),
  }
}

export type Facts = Awaited<ReturnType<typeof readFacts>>
