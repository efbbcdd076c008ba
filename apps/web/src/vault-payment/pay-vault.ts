import type { ChainCall } from '../wallet/sent-transaction.ts'
import type { ServedCall, VaultDeposit } from '../wallet/vault-calls.ts'
import type { WalletCore } from '../wallet/wallet-core.ts'
import { isRejectedByUser, isUnsupported, walletFailure } from '../wallet/wallet-error.ts'
import { readPayment } from './payment-record.ts'
import {
  followApproval,
  forgetApproval,
  keep,
  keepApproval,
  PaymentError,
  type PaymentRun,
  requireFee,
  resumeRun,
  runPayment,
} from './payment-run.ts'
import type { PaymentEvent } from './payment-state.ts'

/** A payment into the vault as its user confirmed it: exactly its units are permitted or approved, and paid. */
export interface VaultPayment extends VaultDeposit {
  /** The account that pays. */
  readonly account: string
  /** The server's call: nothing is sent unless it is exactly the payment above. */
  readonly served?: ServedCall | undefined
}

/**
 * Pays the vault. Checks the wallet's balances, then lets the vault take exactly the amount where it may not yet: by a
 * permit (EIP-2612) in the payment itself or, where the token or the wallet supports none, by an approval before it. Then
 * sends the call and follows it to its block.
 *
 * @returns the outcome; see `runPayment`.
 */
export function payVault(payment: VaultPayment): Promise<PaymentRun> {
  return runPayment(payment, (core, dispatch) => prepare({ core, payment, dispatch }))
}

/**
 * Waits for the block of an approval that was sent before this page was loaded, and does no more.
 *
 * @returns the failed run; `undefined` where the vault may take the amount now.
 */
export async function resumeApproval(payment: VaultPayment): Promise<PaymentRun | undefined> {
  const { account, orderId, token, units, vault } = payment
  const record = readPayment(account, orderId)
  if (token === null || record?.approvalHash === undefined) return undefined
  const approval = record.approvalSent ?? { hash: record.approvalHash }
  return resumeRun(payment, async (core) => {
    await followApproval(core, payment, approval)
    if ((await core.readAllowance({ token, spender: vault })) < units) {
      forgetApproval(payment)
      throw new PaymentError('approval_failed')
    }
    keep(payment, { approved: true })
  })
}

interface Preparation {
  readonly core: WalletCore
  readonly payment: VaultPayment
  readonly dispatch: (event: PaymentEvent) => void
}

/** A preparation that has to let the vault take a token. */
interface TokenPreparation extends Preparation {
  readonly token: string
  /** The wallet's balance of the native coin, which pays the network fee. */
  readonly native: bigint
}

async function prepare(preparation: Preparation): Promise<ChainCall> {
  const { core, payment } = preparation
  const { token, units, vault, served } = payment
  const call = core.vaultCalls.deposit(payment)
  if (served && !core.vaultCalls.isSameCall(call, served)) throw new PaymentError('call_differs')
  await core.switchToRequiredChain()
  const native = await core.readBalance(null)
  if (token === null) {
    if (native < units) throw new PaymentError('token_not_enough')
    await requireFee(core, call, native)
    return call
  }
  if ((await core.readBalance(token)) < units) throw new PaymentError('token_not_enough')
  if (native === 0n) throw new PaymentError('gas')
  if ((await core.readAllowance({ token, spender: vault })) < units) {
    const withToken = { ...preparation, token, native }
    const permitted = await permittedCall(withToken)
    if (permitted) return permitted
    await approve(withToken)
  }
  keep(payment, { approved: true })
  await requireFee(core, call, native)
  return call
}

/**
 * The payment with a permit that the wallet signs now. A permit that was signed earlier and never sent is not reused; it
 * expires.
 *
 * @returns `undefined` where the token, the account or the wallet supports no permit: then the amount is approved.
 * @throws the user's rejection, which is final: the wallet is not asked in another way.
 */
async function permittedCall({
  core,
  payment,
  token,
  native,
  dispatch,
}: TokenPreparation): Promise<ChainCall | undefined> {
  const { account, orderId, vault, units } = payment
  const record = readPayment(account, orderId)
  // An approval that was sent is waited for.
  if (record?.permitFailed || record?.approvalHash !== undefined) return undefined
  const domain = await core.readPermitDomain(token)
  if (!domain) return undefined
  dispatch('ask_permit')
  const permit = await core.signPermit({ domain, spender: vault, units }).catch((error: unknown) => {
    if (isRejectedByUser(error) || !isUnsupported(error)) throw error
    return undefined
  })
  dispatch('permit_signed')
  const call = permit && core.vaultCalls.depositWithPermit(payment, token, permit)
  if (!call || !(await isAccepted(core, call, native))) {
    keep(payment, { permitFailed: true })
    return undefined
  }
  keep(payment, { permitted: true })
  return call
}

/**
 * Returns whether the chain accepts the payment with its permit.
 *
 * @throws the vault's own objection (its pause), or PaymentError where the native coin does not cover the fee.
 */
async function isAccepted(core: WalletCore, call: ChainCall, native: bigint): Promise<boolean> {
  try {
    await requireFee(core, call, native)
    return true
  } catch (error) {
    if (error instanceof PaymentError || walletFailure(error) !== 'reverted') throw error
    if (core.vaultCalls.vaultRevert(error)) throw error
    return false
  }
}

async function approve(preparation: TokenPreparation): Promise<void> {
  const { core, payment, token, dispatch } = preparation
  const { units, vault, account, orderId } = payment
  const allowance = () => core.readAllowance({ token, spender: vault })
  const earlier = readPayment(account, orderId)
  if (earlier?.approvalHash !== undefined) {
    // An approval that has no block yet is waited for, not requested twice.
    dispatch('approval_sent')
    await followApproval(core, payment, earlier.approvalSent ?? { hash: earlier.approvalHash })
    dispatch('approval_mined')
    if ((await allowance()) >= units) return
    forgetApproval(payment)
  }
  // Some tokens (USDT on chain 1) change an allowance only to or from zero.
  if ((await allowance()) > 0n) await approveOnce(preparation, 0n)
  await approveOnce(preparation, units)
  if ((await allowance()) < units) throw new PaymentError('approval_failed')
}

async function approveOnce({ core, payment, token, native, dispatch }: TokenPreparation, units: bigint): Promise<void> {
  const approval = { token, spender: payment.vault, units }
  await requireFee(core, core.approvalCall(approval), native)
  dispatch('ask_approval')
  const sent = await core.approveExact(approval)
  if (units > 0n) keepApproval(payment, sent)
  dispatch('approval_sent')
  await followApproval(core, payment, sent)
  dispatch('approval_mined')
}
