import { type Command, type Context, type EntryDraft, type StateKey, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import { transfer } from '@clearwell/ledger/transfer'
import type { AssetId } from '@clearwell/money/asset'
import { minUnits } from '@clearwell/money/min-max'
import { userAccount, VAULT } from '../../platform/ledger/accounts.ts'
import { type ExitPaymentRow, exitPayments } from './exit.tables.ts'

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
  if (draft.row(exitPayments, id)) return
  const row = { id, user_id: account, asset, units, missing: units, receiver, tx_hash: txHash, block: blockNumber }
  pay(draft, { ...row, booked_at: now })
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
        return pay(draft, row) === 0n ? [] : [id]
      })
      return draft.plan(left)
    },
  }
}

/** @returns what is still missing. */
function pay(draft: Draft, row: ExitPaymentRow): bigint {
  const { asset, tx_hash: reference } = row
  const available = userAccount(row.user_id, 'available')
  const units = minUnits(row.missing, draft.balance(available, asset))
  const missing = row.missing - units
  const postings = transfer({ from: available, to: VAULT, asset, units })
  const entries: EntryDraft[] = units === 0n ? [] : [{ kind: 'exit', reference, postings }]
  draft.add({ entries, rows: [write(exitPayments, { ...row, missing })] })
  return missing
}
