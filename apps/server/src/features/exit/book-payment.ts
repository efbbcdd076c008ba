import type { Context, StateKey } from '@clearwell/ledger/command'
import type { Draft } from '@clearwell/ledger/draft'
import type { AssetId } from '@clearwell/money/asset'
import { exitPayments, payExit } from '../../platform/custody/exit-payments.ts'
import { userAccount, VAULT } from '../../platform/ledger/accounts.ts'

/** A payment of the vault to an account that left. */
export interface ExitPayment {
  /** Chain, transaction and log index: it is booked once. */
  readonly id: string
  /** The account that left, in lower case. */
  readonly account: string
  readonly asset: AssetId
  readonly units: bigint
  readonly receiver: string
  readonly txHash: string
  readonly blockNumber: bigint
  /** The root under which the vault paid. */
  readonly base: number
}

/** Lists what {@link bookPayment} reads. */
export function listPaymentKeys({ id, account, asset }: ExitPayment): StateKey[] {
  return [
    { table: exitPayments, id },
    { account: userAccount(account, 'available'), asset },
    { account: VAULT, asset },
  ]
}

/**
 * Books a payment of the vault once: `available` → `vault`. What the account does not have available, because an expired voucher still locks
 * it, is missing until `coverPayments` finds it.
 */
export function bookPayment(draft: Draft, { now }: Pick<Context, 'now'>, payment: ExitPayment): void {
  const { id, account, asset, units, receiver, txHash, blockNumber } = payment
  const known = draft.row(exitPayments, id)
  if (known && !known.taken_back_at) return
  const row = { id, user_id: account, asset, units, missing: units, receiver, tx_hash: txHash, block: blockNumber }
  payExit(draft, { ...row, booked_at: now, taken_back_at: null, base: BigInt(payment.base) })
}
