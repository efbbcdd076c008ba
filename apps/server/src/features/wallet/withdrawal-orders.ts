import { VOUCHER_REFUSALS, WITHDRAWAL_STOPS } from '@clearwell/api/refusal-reasons'
import { type Context, type EntryDraft, type RowWrite, write } from '@clearwell/ledger/command'
import { column, defineWriterTable, forever, type RowOf } from '@clearwell/ledger/table'
import { transfer } from '@clearwell/ledger/transfer'
import type { Amount } from '@clearwell/money/amount'
import { userAccount } from '../../platform/ledger/accounts.ts'

export const withdrawalOrders = defineWriterTable(
  'withdrawal_orders',
  forever("the users' receipts of their transfers out"),
  {
    /** The nonce as 32 hex digits. */
    id: column.text,
    user_id: column.user('keeps'),
    asset: column.asset,
    amount: column.units,
    nonce: column.units,
    /** The last second in which the voucher pays, as a block's timestamp. */
    deadline: column.time,
    status: column.textOf<WithdrawalStatus>(),
    /** `cancelled`: by the user. */
    refused_reason: column.optional(column.oneOf([...WITHDRAWAL_STOPS, ...VOUCHER_REFUSALS, 'cancelled'])),
    signature: column.optional(column.text),
    /** The number of the header that the voucher names; null in a vault without exits, and before it is signed. */
    root: column.optional(column.bigint),
    /** The account that signed, in lower case. */
    signed_by: column.optional(column.text),
    tx_hash: column.optional(column.text),
    /** The vault whose counters contain the payment, in lower case. */
    counted_by: column.optional(column.text),
    created_at: column.time,
    completed_at: column.optional(column.time),
    /** The account that gets the amount of an unused voucher; null: the user's own. */
    refund_account: column.optional(column.text),
  },
)

export type WithdrawalRow = RowOf<typeof withdrawalOrders>

/**
 * `locked` → `signed` → `completed` after the vault has paid, or `expired` once the voucher is invalid for good;
 * `locked` → `refused` if the signer never signs the voucher, also because its user has cancelled it. The amount is locked in `locked` and `signed` only.
 */
export type WithdrawalStatus = 'locked' | 'signed' | 'completed' | 'expired' | 'refused'

/** Checks that the amount of an order in this status is still locked. */
export function isOpen(status: WithdrawalStatus): boolean {
  return status === 'locked' || status === 'signed'
}

/** Checks that an order is open without a signature of this signer: it has none, or one of a signer before it. */
export function needsSignatureOf(
  signer: string,
  { status, signed_by: signedBy }: Pick<WithdrawalRow, 'status' | 'signed_by'>,
): boolean {
  return status === 'locked' || (status === 'signed' && signedBy !== signer)
}

/**
 * Opens a transfer out, and locks its amount.
 *
 * @param input.from the account that pays.
 * @param input.refundAccount the account that gets the amount of an unused voucher; null: the user's own.
 * @param input.expiresAt rounded down to the whole seconds of a block's timestamp.
 */
export function openWithdrawal(
  context: Context,
  input: {
    readonly userId: string
    readonly amount: Amount
    readonly from: string
    readonly refundAccount: string | null
    readonly expiresAt: Date
  },
): { order: WithdrawalRow; entries: EntryDraft[]; rows: RowWrite[] } {
  const { userId, from, refundAccount, expiresAt } = input
  const { asset, units } = input.amount
  // Random, so that a database restored from a backup never uses one nonce for two orders.
  const orderId = context.id('withdrawal')
  const order: WithdrawalRow = {
    id: orderId,
    user_id: userId,
    asset,
    amount: units,
    nonce: BigInt(`0x${orderId}`),
    deadline: new Date(Math.floor(expiresAt.getTime() / 1_000) * 1_000),
    status: 'locked',
    refused_reason: null,
    signature: null,
    root: null,
    signed_by: null,
    tx_hash: null,
    counted_by: null,
    created_at: context.now,
    completed_at: null,
    refund_account: refundAccount,
  }
  const postings = transfer({ from, to: userAccount(userId, 'locked'), asset, units })
  return {
    order,
    entries: [{ kind: 'withdrawal_lock', reference: orderId, postings }],
    rows: [write(withdrawalOrders, order)],
  }
}

/** The order id of a nonce. The order itself may not exist. */
export function orderIdOf(nonce: bigint): string {
  return nonce.toString(16).padStart(32, '0')
}
