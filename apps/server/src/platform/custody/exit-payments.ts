import { type Context, type EntryDraft, write } from '@clearwell/ledger/command'
import type { Draft } from '@clearwell/ledger/draft'
import { column, defineWriterTable, forever, type RowOf } from '@clearwell/ledger/table'
import { transfer } from '@clearwell/ledger/transfer'
import { minUnits } from '@clearwell/money/min-max'
import { userAccount, VAULT } from '../ledger/accounts.ts'

/** Payments of the vault to accounts that left. */
export const exitPayments = defineWriterTable(
  'exit_payments',
  forever('payments of the vault, booked once; at most one for each account, asset and exit that paid'),
  {
    /** Chain, transaction and log index. */
    id: column.text,
    /** The account that left, in lower case. */
    user_id: column.user('keeps'),
    asset: column.asset,
    units: column.units,
    /** Units that the account did not have available when it was booked, and has not paid since. */
    missing: column.units,
    /** The address that was paid, in lower case. */
    receiver: column.text,
    tx_hash: column.text,
    block: column.units,
    booked_at: column.time,
    /** A rewind of the watcher took it back: the chain does not have it any more. */
    taken_back_at: column.optional(column.time),
    /** The root under which the vault paid, by its count of posts; null in rows of before. */
    base: column.optional(column.bigint),
  },
)
export type ExitPaymentRow = RowOf<typeof exitPayments>

/** Takes what is missing of a payment from its account, as far as that has it: `available` → `vault`. @returns what is still missing. */
export function payExit(draft: Draft, row: ExitPaymentRow): bigint {
  const { asset, tx_hash: reference } = row
  const available = userAccount(row.user_id, 'available')
  const units = minUnits(row.missing, draft.balance(available, asset))
  const missing = row.missing - units
  const postings = transfer({ from: available, to: VAULT, asset, units })
  const entries: EntryDraft[] = units === 0n ? [] : [{ kind: 'exit', reference, postings }]
  draft.add({ entries, rows: [write(exitPayments, { ...row, missing })] })
  return missing
}

/** Gives back what a payment took, because the chain does not have it any more. The account is still locked. */
export function takeBackExit(draft: Draft, { now }: Pick<Context, 'now'>, id: string): boolean {
  const row = draft.row(exitPayments, id)
  if (!row || row.taken_back_at) return false
  const { asset, tx_hash: reference, units, missing } = row
  const taken = units - missing
  const postings = transfer({ from: VAULT, to: userAccount(row.user_id, 'available'), asset, units: taken })
  const entries: EntryDraft[] = taken === 0n ? [] : [{ kind: 'exit_reversal', reference, postings }]
  draft.add({ entries, rows: [write(exitPayments, { ...row, missing: 0n, taken_back_at: now })] })
  return true
}
