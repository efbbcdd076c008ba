import type { Queryable } from '@clearwell/ledger/database'
import type { LostVouchers } from '../../platform/custody/withdrawals.ts'
import { orderIdOf } from './withdrawal-orders.ts'

/** Finds payouts whose vouchers this ledger has lost, as one that was restored from a backup. */
export async function findLostVouchers(db: Queryable, nonces: readonly bigint[]): Promise<LostVouchers | undefined> {
  if (nonces.length === 0) return undefined
  const lost = await db.query(
    `select from unnest($1::text[]) as paid (id)
     where not exists (select from withdrawal_orders where withdrawal_orders.id = paid.id) limit 1`,
    [nonces.map(orderIdOf)],
  )
  if (lost.length === 0) return undefined
  // Reads the whole table. It is only done where a voucher is lost.
  const [last] = await db.query<{ signed_by: string }>(
    'select signed_by from withdrawal_orders where signed_by is not null order by created_at desc, id desc limit 1',
  )
  return { lastSigner: last?.signed_by }
}
