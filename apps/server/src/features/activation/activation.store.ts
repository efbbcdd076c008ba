import type { Database } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import type { members } from '../../domain/members/members.ts'
import type { depositOrders } from '../../platform/ledger/deposit-orders.ts'

type ActivationRow = Omit<RowOf<typeof members>, 'id'>
export type ActivationOrderRow = Pick<RowOf<typeof depositOrders>, 'id' | 'amount' | 'credited' | 'tx_hash'>

/** Reads how far an account's activation is. Written by the ledger's writer. */
export function createActivationStore(db: Database) {
  return {
    member: async (userId: string) =>
      (
        await db.query<ActivationRow>('select activated_at, activation_order_id from members where id = $1', [userId])
      )[0],
    order: async (userId: string, id: string) =>
      (
        await db.query<ActivationOrderRow>(
          'select id, amount, credited, tx_hash from deposit_orders where id = $1 and user_id = $2',
          [id, userId],
        )
      )[0],
    lastOrder: async (userId: string) =>
      (
        await db.query<ActivationOrderRow>(
          `select id, amount, credited, tx_hash from deposit_orders where user_id = $1 and purpose = 'activation'
           order by created_at desc, id desc limit 1`,
          [userId],
        )
      )[0],
  }
}

export type ActivationStore = ReturnType<typeof createActivationStore>
