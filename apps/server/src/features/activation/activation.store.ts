import type { Database } from '@clearwell/ledger/database'

export interface ActivationRow {
  activated_at: Date | null
  activation_order_id: string | null
}

export interface ActivationOrderRow {
  id: string
  amount: bigint
  credited: bigint
  tx_hash: string | null
}

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
