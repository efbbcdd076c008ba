import { type Context, write } from '@clearwell/ledger/command'
import type { Queryable } from '@clearwell/ledger/database'
import type { Draft } from '@clearwell/ledger/draft'
import { column, defineWriterTable, forever, type RowOf } from '@clearwell/ledger/table'
import { type ChainWithdrawal, movementId } from '../chain/chain.ts'

/**
 * Payments by the vault without a matching order: they post nothing until the operator settles them, and the solvency check
 * sees the difference.
 */
export const unknownWithdrawals = defineWriterTable(
  'unknown_withdrawals',
  forever('payments of the vault without an order, and how they were booked; normally empty'),
  {
    /** See {@link movementId}. */
    id: column.text,
    reason: column.text,
    /** The account that was paid, in lower case. */
    account: column.user('apart'),
    asset: column.asset,
    units: column.units,
    nonce: column.units,
    tx_hash: column.text,
    block_number: column.units,
    seen_at: column.time,
    /** The ledger's last signer when it was recorded, if no order has its nonce. That account must not sign any more. */
    lost_signer: column.optional(column.text),
    settled_at: column.optional(column.time),
    paid_by_account: column.optional(column.units),
    paid_by_insurance: column.optional(column.units),
    paid_by_treasury: column.optional(column.units),
  },
)

export type UnknownPayoutRow = RowOf<typeof unknownWithdrawals>

export interface UnknownWithdrawal {
  readonly id: string
  /** The reason why no order matches, for the operator. */
  readonly reason: string
}

/** Records a payment without a matching order, once. Returns nothing if it was recorded before. */
export function recordUnknown(
  chainId: number,
  draft: Draft,
  { now }: Context,
  { withdrawal, reason, lostSigner }: { withdrawal: ChainWithdrawal; reason: string; lostSigner: string | null },
): UnknownWithdrawal[] {
  const id = movementId(chainId, withdrawal)
  if (draft.row(unknownWithdrawals, id)) return []
  const { account, asset, units, nonce, txHash, blockNumber } = withdrawal
  const paid = { tx_hash: txHash, block_number: blockNumber, seen_at: now, lost_signer: lostSigner }
  const open = { settled_at: null, paid_by_account: null, paid_by_insurance: null, paid_by_treasury: null }
  draft.add({ rows: [write(unknownWithdrawals, { id, reason, account, asset, units, nonce, ...paid, ...open })] })
  return [{ id, reason }]
}

/** Reads payouts without a matching order: those of a transaction, or the latest of all. Oldest first. */
export async function readUnknownPayouts(
  db: Queryable,
  { txHash, limit }: { readonly txHash?: string | undefined; readonly limit: number },
): Promise<UnknownPayoutRow[]> {
  const rows = await db.query<UnknownPayoutRow>(
    `select ${unknownWithdrawals.columns} from unknown_withdrawals where $1::text is null or tx_hash = $1
     order by block_number desc, id desc limit $2`,
    [txHash ?? null, limit],
  )
  return rows.toReversed()
}
