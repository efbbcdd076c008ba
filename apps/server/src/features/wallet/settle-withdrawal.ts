import { NotReady, type Writer } from '@clearwell/ledger/writer'
import type { Custody } from '../../platform/chain/chain.ts'
import type { Signer } from '../../platform/signer/signer.ts'
import { recordSignature, releaseRefused } from './close-withdrawal.ts'
import { voucherOf } from './voucher.ts'
import type { WalletStore, WithdrawalOrderRow } from './wallet.store.ts'

/** Locked orders that a start settles. The others are settled when their users ask, or expire. */
const MAX_RESUMED = 1_000

export interface SettleDependencies {
  readonly store: WalletStore
  readonly writer: Writer
  readonly signer: Signer
  readonly custody: Pick<Custody, 'tokens'>
}

/**
 * Moves an order from locked to signed, or returns its amount if the signer refused it permanently. Safe to call
 * concurrently and after any crash: the signer decides once per nonce, and the ledger records the decision once.
 *
 * @throws NotReady if the chain or the ledger cannot be reached; the order stays locked.
 */
export async function settleWithdrawal(deps: SettleDependencies, order: WithdrawalOrderRow): Promise<void> {
  const { writer, signer, custody } = deps
  if (order.status !== 'locked') return
  if (!writer.isWriting) throw new NotReady('this process does not hold the writer lease')
  const outcome = await signer.sign(voucherOf(custody, order))
  const orderId = order.id
  switch (outcome.status) {
    case 'signed':
      await writer.execute(recordSignature({ orderId, signature: outcome.signature }))
      return
    case 'refused':
      await writer.execute(releaseRefused({ orderId, reason: outcome.reason }))
      return
    case 'withheld':
      // A signature may exist, so the amount stays locked until the deadline is final.
      return
  }
}

/** Settles orders that an earlier process left locked. If settling fails, an order stays locked. */
export async function resumeWithdrawals(
  deps: SettleDependencies,
  onError: (error: unknown, doing: string) => void,
): Promise<void> {
  for (const order of await deps.store.lockedWithdrawals(MAX_RESUMED)) {
    try {
      await settleWithdrawal(deps, order)
    } catch (error) {
      onError(error, `withdrawal ${order.id}`)
      if (error instanceof NotReady) return
    }
  }
}
