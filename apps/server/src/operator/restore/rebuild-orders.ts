import type { Context } from '@clearwell/ledger/command'
import { write } from '@clearwell/ledger/command'
import type { Draft } from '@clearwell/ledger/draft'
import type { AssetId } from '@clearwell/money/asset'
import { isOpen, openWithdrawal, withdrawalOrders } from '../../features/wallet/withdrawal-orders.ts'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { ownersIn } from './entry-kinds.ts'
import type { StoredEntry } from './read-store.ts'

/** The longest that a voucher can pay, by the configuration. */
const LONGEST_MS = 86_400_000

/**
 * Opens the order of a locked amount again: its reference is the order, and so the nonce of its voucher.
 *
 * Its voucher may be signed and with the user, so the order counts as signed, and its amount returns only once the longest deadline is final and the
 * vault has not paid the nonce. Until then the signer can sign the same nonce again: the vault pays it once.
 */
export function reopenOrder(draft: Draft, context: Context, entry: StoredEntry): void {
  const { reference, postings, at } = entry
  const [from, to] = [postings.find(({ units }) => units < 0n), postings.find(({ units }) => units > 0n)]
  const [userId] = ownersIn(to ? [to] : [])
  if (!from || !to || userId === undefined || !/^[0-9a-f]{32}$/.test(reference))
    throw new Error(`entry ${entry.seq} locks no amount of an order`)
  const isOwn = from.account === userAccount(userId, 'available')
  const { order, entries } = openWithdrawal(
    { ...context, now: at, id: () => reference },
    {
      ...{ userId, amount: { asset: to.asset as AssetId, units: to.units }, from: from.account },
      ...{ refundAccount: isOwn ? null : from.account, expiresAt: new Date(at.getTime() + LONGEST_MS) },
    },
  )
  draft.add({ entries, rows: [write(withdrawalOrders, { ...order, status: 'signed' })] })
}

/** Ends the order of an amount that was returned. Why it was returned is gone, so it counts as expired. */
export function endOrder(draft: Draft, { seq, kind, reference, postings, at }: StoredEntry): void {
  const order = draft.row(withdrawalOrders, reference)
  if (!order || !isOpen(order.status)) throw new Error(`entry ${seq} returns the amount of no open order`)
  const row = write(withdrawalOrders, { ...order, status: 'expired', completed_at: at })
  draft.add({ entries: [{ kind, reference, postings }], rows: [row] })
}
