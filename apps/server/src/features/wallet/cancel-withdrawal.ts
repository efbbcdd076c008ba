import { NotReady } from '@clearwell/ledger/writer'
import { refusal } from '../../platform/ledger/refuse.ts'
import { releaseRefused } from './close-withdrawal.ts'
import type { SettleDependencies } from './settle-withdrawal.ts'
import { voucherOf } from './voucher.ts'

/**
 * Cancels a user's transfer out that has no voucher, and returns its amount. The signer decides first that it will never sign this
 * voucher, so no signature can follow. Cancelling again changes nothing.
 *
 * @throws Refusal `not_found` for an order of another user, `conflict` once a signature may exist or the order is over.
 */
export async function cancelWithdrawal(
  { store, writer, signer, custody }: Pick<SettleDependencies, 'store' | 'writer' | 'signer' | 'custody'>,
  { userId, orderId }: { readonly userId: string; readonly orderId: string },
): Promise<void> {
  const order = await store.withdrawal(orderId, userId)
  if (!order) throw refusal('not_found')
  if (order.refused_reason === 'cancelled') return
  if (order.status === 'signed') throw refusal('conflict', { reason: 'voucher_signed' })
  if (order.status !== 'locked') throw refusal('conflict', { reason: 'transfer_over' })
  if (!writer.isWriting) throw new NotReady('this process does not hold the writer lease')
  const decision = await signer.cancel(voucherOf(custody, order))
  if (decision.status !== 'refused') throw refusal('conflict', { reason: 'voucher_signed' })
  await writer.execute(releaseRefused({ orderId, reason: decision.reason }))
}
