import type { Queryable } from '@clearwell/ledger/database'
import { readPostings } from '@clearwell/ledger/read-postings'
import { findRoot, findRootHolding } from '../../domain/proofs/signed-roots.ts'
import { userAccount } from '../../platform/ledger/accounts.ts'
import type { LockProof } from '../../platform/signer/voucher-root.ts'
import type { WithdrawalRow } from './withdrawal-orders.ts'

/** The newest locks of an account and asset that are looked at. More can only be open if they are older than a day. */
const MAX_LOCKS = 1_000

/**
 * Finds a header with both signatures that holds the lock of an order: the one that its voucher names, or else the first one.
 *
 * @returns `undefined` while no header with both signatures contains the entry that locked the amount.
 */
export async function findLock(db: Queryable, order: WithdrawalRow): Promise<LockProof | undefined> {
  const entry = await findLockEntry(db, order)
  if (entry === undefined) throw new Error(`the order ${order.id} has no entry that locks its amount`)
  const root = order.root === null ? await findRootHolding(db, entry) : await findRoot(db, order.root)
  return root && { root, entry }
}

async function findLockEntry(db: Queryable, order: WithdrawalRow): Promise<bigint | undefined> {
  const { id, user_id: userId, asset } = order
  const locks = await readPostings(db, {
    ...{ accounts: [userAccount(userId, 'locked')], asset, kinds: ['withdrawal_lock'], after: undefined },
    ...{ range: { from: 1n, to: 2n ** 63n - 1n }, order: 'newest_first', limit: MAX_LOCKS },
  })
  return locks.find(({ reference }) => reference === id)?.entry_seq
}
