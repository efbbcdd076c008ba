import type { Command, Context, StateKey } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import type { AssetId } from '@clearwell/money/asset'
import { type ExitPaymentRow, exitPayments, payExit } from '../../platform/custody/exit-payments.ts'
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
 * it, is missing until {@link collectMissing} finds it.
 */
export function bookPayment(draft: Draft, { now }: Pick<Context, 'now'>, payment: ExitPayment): void {
  const { id, account, asset, units, receiver, txHash, blockNumber } = payment
  const known = draft.row(exitPayments, id)
  if (known && !known.taken_back_at) return
  const row = { id, user_id: account, asset, units, missing: units, receiver, tx_hash: txHash, block: blockNumber }
  payExit(draft, { ...row, booked_at: now, taken_back_at: null, base: BigInt(payment.base) })
}

/** Books what is missing of payments, as far as their accounts have it now. Returns the ids of those that are still not whole. */
export function collectMissing(rows: readonly Pick<ExitPaymentRow, 'id' | 'user_id' | 'asset'>[]): Command<string[]> {
  return {
    kind: 'collect_exit_payments',
    owner: 'exits',
    payload: {},
    preload: rows.flatMap(({ id, user_id: account, asset }) => [
      { table: exitPayments, id },
      { account: userAccount(account, 'available'), asset },
      { account: VAULT, asset },
    ]),
    decide(state) {
      const draft = new Draft(state)
      const left = rows.flatMap(({ id }) => {
        const row = draft.row(exitPayments, id)
        if (!row || row.missing === 0n) return []
        return payExit(draft, row) === 0n ? [] : [id]
      })
      return draft.plan(left)
    },
  }
}
