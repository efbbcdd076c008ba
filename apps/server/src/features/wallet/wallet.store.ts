import type { Database } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import type { AssetId } from '@clearwell/money/asset'
import { type Cursor, olderThan } from '../../platform/http/paging.ts'
import { createWithdrawalStore } from './withdrawal.store.ts'

export interface DepositOrderRow {
  id: string
  asset: AssetId
  amount: bigint
  credited: bigint
  tx_hash: string | null
  created_at: Date
  expires_at: Date
}

/** The wallet's reads. */
export function createWalletStore(db: Database) {
  return {
    ...createWithdrawalStore(db),
    balances: (accounts: readonly string[]) => readBalances(db, accounts),
    buyOrder: async (userId: string, id: string) =>
      (
        await db.query<DepositOrderRow>(
          `select id, asset, amount, credited, tx_hash, created_at, expires_at from deposit_orders
           where id = $1 and user_id = $2`,
          [id, userId],
        )
      )[0],
    buyOrders: (userId: string, after: Cursor | undefined, limit: number) =>
      db.query<DepositOrderRow>(
        `select id, asset, amount, credited, tx_hash, created_at, expires_at from deposit_orders
         where user_id = $1 and purpose = 'transfer_in' and ${olderThan('$2', '$3')}
         order by created_at desc, id desc limit $4`,
        [userId, after?.at ?? null, after?.id ?? null, limit],
      ),
  }
}

export type WalletStore = ReturnType<typeof createWalletStore>
