import { PayError, type Paying, requireFee, runPayment } from './paying.ts'
import { type SellOrder, type Withdrawal, withdrawCall } from './withdraw-call.ts'

/** A transfer out that is to be submitted, as it was shown to the user, with what the server answered for it. */
export interface VoucherSubmission extends Withdrawal {
  readonly orderId: string
  readonly order: Pick<SellOrder, 'voucher' | 'signature' | 'to' | 'calldata'>
}

/**
 * Lets the wallet submit a voucher to the vault, and follows the transaction to its block. The voucher is checked against
 * what was confirmed and against the chain first; the wallet is asked for nothing where either is against it.
 *
 * @returns how it ended, as the store and the account's record say it too; nothing is thrown.
 */
export function submitVoucher(submission: VoucherSubmission): Promise<Paying> {
  return runPayment(submission, {
    async prepare(core) {
      const call = withdrawCall(submission.order, submission, await core.readChainTime())
      if (call === 'deadline') throw new PayError('reverted', { revert: 'VoucherExpired' })
      if (typeof call === 'string') throw new PayError('call_differs', { fault: call })
      await core.switchToRequiredChain()
      await requireFee(core, call, await core.readBalance(null))
      return call
    },
  })
}
