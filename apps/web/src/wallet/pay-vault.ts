import { type Deposit, depositCall, depositWithPermitCall, isSameCall, type ServedCall } from './deposit-call.ts'
import {
  followApproval,
  forgetApproval,
  keep,
  keepApproval,
  PayError,
  type Paying,
  type PayStage,
  requireFee,
  resumePayment,
  runPayment,
} from './paying.ts'
import { readPayment } from './payment-record.ts'
import type { ChainCall } from './sent-transaction.ts'
import { vaultRevert } from './vault-revert.ts'
import type { WalletCore } from './wallet-core.ts'
import { isRefusedByUser } from './wallet-error.ts'
import { isUnsupported, walletFailure } from './wallet-failure.ts'

/** A payment to the vault, as it was shown to the user: exactly its units are permitted or approved, and paid. */
export interface VaultPayment extends Deposit {
  /** Who pays: what this device knows of the payment is kept under it and the order. */
  readonly account: string
  /** The server's call, where it was not compared before: nothing is sent unless it is the very deposit above. */
  readonly served?: ServedCall
}

/**
 * Pays the vault: checks what the wallet holds, lets the vault take exactly the amount where it may not yet, by a permit
 * (EIP-2612) in the payment itself or, where token or wallet know none, by an approval before it; then sends the call and
 * follows it to its block. Goes on from what an earlier attempt has sent, without sending twice.
 *
 * @returns how it ended, as the store and the account's record say it too; nothing is thrown.
 */
export function payVault(payment: VaultPayment): Promise<Paying> {
  return runPayment(payment, { prepare: (core, enter) => prepare(core, payment, enter) })
}

/**
 * Goes on waiting for an approval that was sent before this page was loaded, to its block and no further: a wallet does
 * not open by itself because a page was loaded.
 *
 * @returns why it came to nothing; `undefined` where the vault may take the amount now.
 */
export async function resumeApproval(payment: VaultPayment): Promise<Paying | undefined> {
  const { account, orderId, token, units, vault } = payment
  const record = readPayment(account, orderId)
  if (token === null || record?.approvalHash === undefined) return undefined
  const approval = record.approvalSent ?? { hash: record.approvalHash }
  return resumePayment(payment, 'approval_sent', async (core) => {
    await followApproval(core, payment, approval)
    if ((await core.readAllowance({ token, spender: vault })) < units) {
      forgetApproval(payment)
      throw new PayError('approval_failed')
    }
    keep(payment, { approved: true })
  })
}

async function prepare(core: WalletCore, payment: VaultPayment, enter: (stage: PayStage) => void): Promise<ChainCall> {
  const { token, units, vault, served } = payment
  const call = depositCall(payment)
  if (served && !isSameCall(call, served)) throw new PayError('call_differs')
  await core.switchToRequiredChain()
  const native = await core.readBalance(null)
  if (token === null) {
    if (native < units) throw new PayError('token_not_enough')
    await requireFee(core, call, native)
    return call
  }
  if ((await core.readBalance(token)) < units) throw new PayError('token_not_enough')
  if (native === 0n) throw new PayError('gas')
  const allowance = () => core.readAllowance({ token, spender: vault })
  if ((await allowance()) < units) {
    const permitted = await permittedCall(core, payment, token, native, enter)
    if (permitted) return permitted
    await approve(core, payment, token, { allowance, native, enter })
  }
  keep(payment, { approved: true })
  await requireFee(core, call, native)
  return call
}

/**
 * The deposit with a permit that the wallet signs now. A permit that was signed earlier and never sent is not used again:
 * it lapses by itself.
 *
 * @returns `undefined` where the token, the account or the wallet know no permit: then it is approved.
 * @throws the user's refusal, which is one, and no reason to ask in another way.
 */
async function permittedCall(
  core: WalletCore,
  payment: VaultPayment,
  token: string,
  native: bigint,
  enter: (stage: PayStage) => void,
): Promise<ChainCall | undefined> {
  const { account, orderId, vault, units } = payment
  const record = readPayment(account, orderId)
  // An approval that is under way is gone on with.
  if (record?.permitFailed || record?.approvalHash !== undefined) return undefined
  const domain = await core.readPermitDomain(token)
  if (!domain) return undefined
  enter('signing')
  const permit = await core.signPermit({ domain, spender: vault, units }).catch((error: unknown) => {
    if (isRefusedByUser(error) || !isUnsupported(error)) throw error
    return undefined
  })
  enter('checking')
  const call = permit && depositWithPermitCall(payment, token, permit)
  if (!call || !(await isTaken(core, call, native))) {
    keep(payment, { permitFailed: true })
    return undefined
  }
  keep(payment, { permitted: true })
  return call
}

/**
 * Whether the chain takes the deposit with its permit.
 *
 * @throws what the vault itself has against it (its pause), and that there is too little gas.
 */
async function isTaken(core: WalletCore, call: ChainCall, native: bigint): Promise<boolean> {
  try {
    await requireFee(core, call, native)
    return true
  } catch (error) {
    if (error instanceof PayError || walletFailure(error) !== 'reverted' || vaultRevert(error)) throw error
    return false
  }
}

async function approve(
  core: WalletCore,
  payment: VaultPayment,
  token: string,
  { allowance, native, enter }: { allowance: () => Promise<bigint>; native: bigint; enter: (stage: PayStage) => void },
): Promise<void> {
  const { units, vault } = payment
  const earlier = readPayment(payment.account, payment.orderId)
  if (earlier?.approvalHash !== undefined) {
    // An approval that is still under way is waited for, not asked for twice.
    enter('approval_sent')
    await followApproval(core, payment, earlier.approvalSent ?? { hash: earlier.approvalHash })
    if ((await allowance()) >= units) return
    forgetApproval(payment)
  }
  // Some tokens (USDT on chain 1) change no allowance but to or from zero.
  if ((await allowance()) > 0n) await approveOnce(core, payment, { token, spender: vault, units: 0n }, native, enter)
  await approveOnce(core, payment, { token, spender: vault, units }, native, enter)
  if ((await allowance()) < units) throw new PayError('approval_failed')
}

async function approveOnce(
  core: WalletCore,
  payment: VaultPayment,
  approval: { token: string; spender: string; units: bigint },
  native: bigint,
  enter: (stage: PayStage) => void,
): Promise<void> {
  await requireFee(core, core.approvalCall(approval), native)
  enter('approving')
  const sent = await core.approveExact(approval)
  if (approval.units > 0n) keepApproval(payment, sent)
  enter('approval_sent')
  await followApproval(core, payment, sent)
}
