import type { ServedVoucher, VaultWithdrawal } from '../wallet/vault-calls.ts'
import { PaymentError, type PaymentRun, requireFee, runPayment } from './payment-run.ts'

/** A voucher to submit: the withdrawal as its user confirmed it, and the server's order. */
export interface VoucherSubmission extends VaultWithdrawal {
  readonly orderId: string
  readonly order: ServedVoucher
}

/**
 * Lets the wallet submit a voucher to the vault, and follows the transaction to its block. The voucher is first compared
 * with the confirmed withdrawal and checked against the chain; the wallet is not asked where either objects.
 *
 * @returns the outcome; see `runPayment`.
 */
export function submitVoucher(submission: VoucherSubmission): Promise<PaymentRun> {
  return runPayment(submission, async (core) => {
    const call = core.vaultCalls.withdraw(submission.order, submission, await core.readChainTime())
    if (call === 'deadline') throw new PaymentError('reverted', { revert: 'VoucherExpired' })
    if (typeof call === 'string') throw new PaymentError('call_differs', { fault: call })
    await core.switchToRequiredChain()
    await requireFee(core, call, await core.readBalance(null))
    return call
  })
}
