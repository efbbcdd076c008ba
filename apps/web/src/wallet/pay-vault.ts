import { wallet } from './wallet.ts'
import { isRefusedByUser, saysInsufficientFunds } from './wallet-error.ts'

/** A payment to the vault, as the calls `active` and `buy` order it. */
export interface VaultPayment {
  /** The token's contract; null where the native coin itself is paid. */
  readonly token: string | null
  /** How much of the token, in its own base units: exactly this much is approved, never more. */
  readonly units: bigint
  readonly vault: string
  readonly calldata: string
  /** What to send along in the native coin, in base units: the amount itself where that is paid, else nothing. */
  readonly value: bigint
}

/** Where a payment stands. `hash` is there from `sent` on: keep it, a later call goes on from it. */
export type PayStage =
  | { readonly at: 'checking' }
  /** The wallet asks for the approval. */
  | { readonly at: 'approving' }
  /** The approval is sent and not in a block yet. */
  | { readonly at: 'approval_sent'; readonly approvalHash: string }
  /** The wallet asks for the payment. */
  | { readonly at: 'paying' }
  /** The payment is sent and not in a block yet. */
  | { readonly at: 'sent'; readonly hash: string }
  /** The payment stands in a block; the server counts its confirmations. */
  | { readonly at: 'mined'; readonly hash: string }

export type PayFailure =
  /** The user said no in the wallet. */
  | 'refused'
  /** The wallet holds less than is to be paid. */
  | 'token_not_enough'
  /** The wallet cannot pay the network fee. */
  | 'gas_not_enough'
  | 'approval_failed'
  /** The chain refused the payment, or the wallet cancelled it. */
  | 'payment_failed'

/** A payment that did not happen, and why. Any other rejection is the wallet's own: see `walletErrorText`. */
export class PayError extends Error {
  override readonly name = 'PayError'
  readonly reason: PayFailure

  constructor(reason: PayFailure, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}

/**
 * Pays the vault: checks what the wallet holds, approves exactly the amount where the allowance is too small, sends the
 * call, and waits until it stands in a block.
 *
 * @param hash of a payment sent before: nothing is asked or sent, it is only waited for.
 * @param approvalHash of an approval sent before: it is waited for instead of being asked for again.
 * @param onStage told of every stage, in order.
 * @returns the hash of the payment.
 * @throws PayError where the payment did not happen.
 */
export async function payVault(
  payment: VaultPayment,
  {
    hash,
    approvalHash,
    onStage,
  }: { hash?: string | undefined; approvalHash?: string | undefined; onStage: (stage: PayStage) => void },
): Promise<string> {
  try {
    const sent = hash ?? (await approveAndSend(payment, approvalHash, onStage))
    onStage({ at: 'sent', hash: sent })
    await expectSuccess(sent, 'payment_failed')
    onStage({ at: 'mined', hash: sent })
    return sent
  } catch (error) {
    if (error instanceof PayError) throw error
    if (isRefusedByUser(error)) throw new PayError('refused', { cause: error })
    if (saysInsufficientFunds(error)) throw new PayError('gas_not_enough', { cause: error })
    throw error
  }
}

async function approveAndSend(
  { token, units, vault, calldata, value }: VaultPayment,
  approvalHash: string | undefined,
  onStage: (stage: PayStage) => void,
): Promise<string> {
  onStage({ at: 'checking' })
  const core = await wallet()
  await core.switchToRequiredChain()
  const native = await core.readBalance(null)
  // The native coin pays the network fee too: exactly the amount is not enough of it.
  if (token === null && native < value) throw new PayError('token_not_enough')
  if (native <= value) throw new PayError('gas_not_enough')
  if (token !== null) {
    if ((await core.readBalance(token)) < units) throw new PayError('token_not_enough')
    if (approvalHash !== undefined) {
      onStage({ at: 'approval_sent', approvalHash })
      await expectSuccess(approvalHash, 'approval_failed')
    }
    if ((await core.readAllowance({ token, spender: vault })) < units) {
      onStage({ at: 'approving' })
      const approval = await core.approveExact({ token, spender: vault, units })
      onStage({ at: 'approval_sent', approvalHash: approval })
      await expectSuccess(approval, 'approval_failed')
    }
  }
  onStage({ at: 'paying' })
  return core.sendTransaction({ to: vault, data: calldata, value })
}

async function expectSuccess(hash: string, failure: PayFailure): Promise<void> {
  const core = await wallet()
  if (!(await core.waitForTransaction(hash as `0x${string}`))) throw new PayError(failure)
}

/** The hashes of a payment that was begun, kept on this device by order id so that it survives a reload. */
export interface KeptPayment {
  readonly approvalHash?: string
  readonly hash?: string
}

const KEPT_PREFIX = 'clearwell.payment.'

export function keptPayment(orderId: string): KeptPayment {
  try {
    return JSON.parse(localStorage.getItem(KEPT_PREFIX + orderId) ?? '{}') as KeptPayment
  } catch {
    return {}
  }
}

/** Keeps what a stage adds: hand every stage to it. */
export function keepPayment(orderId: string, stage: PayStage): void {
  if (stage.at === 'approval_sent') keep(orderId, { approvalHash: stage.approvalHash })
  else if ('hash' in stage) keep(orderId, { ...keptPayment(orderId), hash: stage.hash })
}

/** After it was credited, or when it is to be begun anew. */
export function forgetPayment(orderId: string): void {
  localStorage.removeItem(KEPT_PREFIX + orderId)
}

function keep(orderId: string, payment: KeptPayment): void {
  try {
    localStorage.setItem(KEPT_PREFIX + orderId, JSON.stringify(payment))
  } catch {
    // A full storage costs the memory of the payment on this device, never the payment: the server sees it all the same.
  }
}
