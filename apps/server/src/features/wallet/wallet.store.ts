import type { Database } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { findOutcome, readOneMoment } from '@clearwell/ledger/reads'
import type { RowOf } from '@clearwell/ledger/table'
import { readOwed } from '../../domain/lending/owed.ts'
import { type PledgeMoment, readPledged } from '../../domain/lending/pledge-values.ts'
import { readInviters } from '../../domain/members/carry-inviters.ts'
import { type Cursor, cursorParams, olderThan } from '../../platform/database/page.ts'
import { userAccounts } from '../../platform/ledger/accounts.ts'
import { depositOrders } from '../../platform/ledger/deposit-orders.ts'
import { readIsStopped } from '../../platform/ledger/leaving-accounts.ts'
import { type WithdrawalRow, withdrawalOrders } from './withdrawal-orders.ts'

export type DepositOrderRow = RowOf<typeof depositOrders>

/** Reads of the wallet's tables. Only the ledger's writer writes them. */
export function createWalletStore(db: Database) {
  return {
    /** Counts the transfers out that are not finished, by their status, with the time of the oldest: all, or those ordered until a time. */
    countOpen: (until?: Date) =>
      db.query<{ status: 'locked' | 'signed'; count: number; oldest_at: Date }>(
        `select status, count(*)::integer as count, min(created_at) as oldest_at from withdrawal_orders
         where status in ('locked', 'signed') and created_at <= coalesce($1, 'infinity'::timestamptz) group by status`,
        [until ?? null],
      ),

    isFrozen: (userId: string, now: Date) => readIsStopped(db, userId, now),
    balances: (accounts: readonly string[]) => readBalances(db, accounts),
    holdings: (of: HoldingsQuery) => readHoldings(db, of),
    /** The rows of a user and its inviters that an order carries for a restore. */
    inviters: (userId: string) => readInviters(db, userId),
    deposit: async (userId: string, id: string) =>
      (
        await db.query<DepositOrderRow>(
          `select ${depositOrders.columns} from deposit_orders
           where id = $1 and user_id = $2`,
          [id, userId],
        )
      )[0],
    deposits: (userId: string, after: Cursor | undefined, limit: number) =>
      db.query<DepositOrderRow>(
        `select ${depositOrders.columns} from deposit_orders
         where user_id = $1 and purpose = 'transfer_in' and ${olderThan('$2', '$3')}
         order by created_at desc, id desc limit $4`,
        [userId, ...cursorParams(after), limit],
      ),
    withdrawal: (id: string, userId?: string) => findWithdrawal(db, id, userId),
    withdrawals: (userId: string, after: Cursor | undefined, limit: number) =>
      db.query<WithdrawalRow>(
        `select ${withdrawalOrders.columns} from withdrawal_orders where user_id = $1 and ${olderThan('$2', '$3')}
         order by created_at desc, id desc limit $4`,
        [userId, ...cursorParams(after), limit],
      ),
    /** The operator's own transfers out, newest first. */
    treasuryWithdrawals: (limit: number) =>
      db.query<WithdrawalRow>(
        `select ${withdrawalOrders.columns} from withdrawal_orders where refund_account is not null
         order by created_at desc, id desc limit $1`,
        [limit],
      ),
    /** Orders without a signature, oldest first. */
    lockedWithdrawals: (limit: number) =>
      db.query<WithdrawalRow>(
        `select ${withdrawalOrders.columns} from withdrawal_orders where status = 'locked' order by deadline limit $1`,
        [limit],
      ),
    /** Orders whose voucher still pays, with a signature of another signer than this, oldest first. */
    signedByOthers: (signer: string, now: Date, limit: number) =>
      db.query<WithdrawalRow>(
        `select ${withdrawalOrders.columns} from withdrawal_orders
         where status = 'signed' and deadline > $2 and signed_by is distinct from $1
         order by deadline limit $3`,
        [signer, now, limit],
      ),
    /** Open orders whose voucher is expired in a block of that time or later, oldest first. */
    dueWithdrawals: (time: Date, except: readonly string[], limit: number) =>
      db.query<WithdrawalRow>(
        `select ${withdrawalOrders.columns} from withdrawal_orders
         where status in ('locked', 'signed') and deadline < $1 and id <> all($2::text[]) order by deadline limit $3`,
        [time, except, limit],
      ),
    /** Checks for a stored outcome of this key. */
    isKeyUsed: async (owner: string, key: string) => (await findOutcome(db, { owner, key })) !== undefined,
  }
}

/** Finds a transfer out. @param userId whose order it must be; absent for any. */
async function findWithdrawal(
  db: Database,
  id: string,
  userId: string | undefined,
): Promise<WithdrawalRow | undefined> {
  const [order] = await db.query<WithdrawalRow>(
    `select ${withdrawalOrders.columns} from withdrawal_orders where id = $1 and user_id = coalesce($2, user_id)`,
    [id, userId ?? null],
  )
  return order
}

export type WalletStore = ReturnType<typeof createWalletStore>

interface HoldingsQuery {
  readonly userId: string
  readonly moment: PledgeMoment
}

/** Reads a user's balances and the value of the pledges of one moment, so that a pledge in between is never counted twice. */
function readHoldings(db: Database, { userId, moment }: HoldingsQuery) {
  return readOneMoment(db, async (tx) => ({
    held: await readBalances(tx, userAccounts(userId)),
    pledged: await readPledged(tx, userId, moment),
    owed: await readOwed(tx, userId, moment.now),
  }))
}
