import { wallet } from './wallet.ts'
import type { WalletCore } from './wallet-core.ts'
import { walletErrorText } from './wallet-error.ts'
import { type WalletFailure, walletFailure } from './wallet-failure.ts'

/** A payment to the vault, as the calls `active` and `buy` order it. */
export interface VaultPayment {
  /** 32 bytes as hex. What this device knows of the payment is kept under it. */
  readonly orderId: string
  /** The token's contract; null where the native coin itself is paid. */
  readonly token: string | null
  /** How much, in the token's own base units: exactly this much is approved and paid. */
  readonly units: bigint
  readonly vault: string
  /** The call as the server made it; nothing is sent unless it is the very deposit described above. */
  readonly calldata: string
  /** The native coin that goes along, in base units. */
  readonly value: bigint
}

/** Where a payment stands between the wallet and its block; from there on the server counts confirmations. */
export type PayStage = 'checking' | 'approving' | 'approval_sent' | 'paying' | 'sent' | 'mined'

export type PayFailure =
  | WalletFailure
  /** The wallet holds less than is to be paid. */
  | 'token_not_enough'
  /** The chain refused the approval, or the wallet's user cancelled it. */
  | 'approval_failed'
  /** The chain refused the payment, or the wallet's user cancelled it: the amount stayed in the wallet. */
  | 'payment_failed'
  /** The server's call is not the payment that was confirmed. */
  | 'call_differs'

/** A payment that did not happen, or of which the wallet did not say whether it did (`other`, from `paying` on). */
export class PayError extends Error {
  override readonly name = 'PayError'
  readonly reason: PayFailure
  readonly stage: PayStage

  constructor(reason: PayFailure, stage: PayStage, cause?: unknown) {
    super(cause === undefined ? reason : walletErrorText(cause), { cause })
    this.reason = reason
    this.stage = stage
  }
}

/** What this device knows of a payment and the server does not. In local storage, so that it survives a reload. */
export interface KeptPayment {
  readonly approvalHash?: string | undefined
  /** The wallet was asked to pay. Without `hash` its answer is not known. */
  readonly asked?: boolean | undefined
  readonly hash?: string | undefined
}

const KEPT_PREFIX = 'clearwell.payment.'

/**
 * Pays the vault: checks what the wallet holds, approves exactly the amount where the vault may not take it yet, sends
 * the call, and waits until it stands in a block. Goes on from what an earlier attempt has sent, without sending twice.
 *
 * @param onStage told of every stage, in order.
 * @returns the hash of the payment.
 * @throws PayError with the reason and the stage it came at.
 */
export async function payVault(payment: VaultPayment, onStage: (stage: PayStage) => void): Promise<string> {
  let stage: PayStage = 'checking'
  const enter = (next: PayStage) => {
    stage = next
    onStage(next)
  }
  const { orderId } = payment
  try {
    enter('checking')
    const core = await wallet()
    const hash = keptPayment(orderId).hash ?? (await approveAndSend(core, payment, enter))
    enter('sent')
    if (!(await core.waitForTransaction(hash as `0x${string}`))) throw new PayError('payment_failed', stage)
    enter('mined')
    return hash
  } catch (error) {
    const failure = error instanceof PayError ? error : new PayError(walletFailure(error), stage, error)
    if (failure.reason === 'payment_failed') forgetPayment(orderId)
    else if (failure.reason !== 'other') keep(orderId, { asked: undefined })
    throw failure
  }
}

export function keptPayment(orderId: string): KeptPayment {
  try {
    return JSON.parse(localStorage.getItem(KEPT_PREFIX + orderId) ?? '{}') as KeptPayment
  } catch {
    return {}
  }
}

/** After it was credited, or when it is to be begun anew. */
export function forgetPayment(orderId: string): void {
  localStorage.removeItem(KEPT_PREFIX + orderId)
}

async function approveAndSend(
  core: WalletCore,
  payment: VaultPayment,
  enter: (stage: PayStage) => void,
): Promise<string> {
  const { orderId, token, units, vault, calldata, value } = payment
  if (!isDepositCall(payment)) throw new PayError('call_differs', 'checking')
  await core.switchToRequiredChain()
  const native = await core.readBalance(null)
  if (token === null && native < units) throw new PayError('token_not_enough', 'checking')
  // The native coin pays the network fee too: what is paid in it must leave something.
  if (native <= value) throw new PayError('gas', 'checking')
  if (token !== null) {
    if ((await core.readBalance(token)) < units) throw new PayError('token_not_enough', 'checking')
    await approve(core, payment, token, enter)
  }
  enter('paying')
  // Written down first: if the page goes away while the wallet asks, it is known that it was asked.
  keep(orderId, { asked: true })
  const hash = await core.sendTransaction({ to: vault, data: calldata, value })
  keep(orderId, { hash })
  return hash
}

async function approve(
  core: WalletCore,
  { orderId, units, vault }: VaultPayment,
  token: string,
  enter: (stage: PayStage) => void,
): Promise<void> {
  const isEnough = async () => (await core.readAllowance({ token, spender: vault })) >= units
  if (await isEnough()) return
  const earlier = keptPayment(orderId).approvalHash
  if (earlier !== undefined) {
    // An approval that is still under way is waited for, not asked for twice.
    enter('approval_sent')
    if ((await core.waitForTransaction(earlier as `0x${string}`)) && (await isEnough())) return
  }
  enter('approving')
  const approvalHash = await core.approveExact({ token, spender: vault, units })
  keep(orderId, { approvalHash })
  enter('approval_sent')
  if (!(await core.waitForTransaction(approvalHash)) || !(await isEnough()))
    throw new PayError('approval_failed', 'approval_sent')
}

/** The first four bytes of `deposit(address,uint256,bytes32)` in vault/src/IClearwellVault.sol. */
const DEPOSIT_SELECTOR = '0x26b3293f'

/** Whether the call is the deposit of exactly these units for this order, and nothing else. */
export function isDepositCall({ orderId, token, units, calldata, value }: VaultPayment): boolean {
  const expected = DEPOSIT_SELECTOR + word(token ?? '0x0') + word(units.toString(16)) + word(orderId)
  return calldata.toLowerCase() === expected && value === (token === null ? units : 0n)
}

/** 32 bytes as hex. */
function word(hex: string): string {
  return hex.replace(/^0x/, '').toLowerCase().padStart(64, '0')
}

function keep(orderId: string, change: KeptPayment): void {
  try {
    localStorage.setItem(KEPT_PREFIX + orderId, JSON.stringify({ ...keptPayment(orderId), ...change }))
  } catch {
    // A full storage costs the memory of the payment on this device, never the payment: the server sees it all the same.
  }
}
