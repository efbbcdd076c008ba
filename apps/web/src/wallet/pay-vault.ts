import { holdPage } from '../account/busy-guard.ts'
import { queryClient, refreshPersonalData } from '../api/query-client.ts'
import { createStore, useStore } from '../ui/store.ts'
import { depositCall, isSameCall, type ServedCall } from './deposit-call.ts'
import { type PaymentRecord, readPayment, savePayment } from './payment-record.ts'
import { wallet } from './wallet.ts'
import type { WalletCore } from './wallet-core.ts'
import { walletErrorText } from './wallet-error.ts'
import { type WalletFailure, walletFailure } from './wallet-failure.ts'

/** A payment to the vault, as it was shown to the user. */
export interface VaultPayment {
  /** Who pays: what this device knows of the payment is kept under it and the order. */
  readonly account: string
  /** 32 bytes as hex. */
  readonly orderId: string
  /** The token's contract; null where the native coin itself is paid. */
  readonly token: string | null
  /** How much, in the token's own base units: exactly this much is approved and paid. */
  readonly units: bigint
  readonly vault: string
  /** The server's call, where it was not compared before: nothing is sent unless it is the very deposit above. */
  readonly served?: ServedCall
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

/** What is being done about a payment, and why it stopped. */
export interface Paying {
  readonly stage: PayStage
  readonly isRunning: boolean
  /** `detail` is what the wallet said. */
  readonly failure?: { readonly reason: PayFailure; readonly detail: string } | undefined
}

/** Outside React: a payment goes on when its screen is left. By order id. */
const payingStore = createStore<Readonly<Record<string, Paying>>>({})

export function usePaying(orderId: string): Paying | undefined {
  return useStore(payingStore)[orderId]
}

/**
 * Pays the vault: checks what the wallet holds, approves exactly the amount where the vault may not take it yet, sends
 * the call, and waits until it stands in a block. Goes on from what an earlier attempt has sent, without sending twice.
 *
 * @returns how it ended, as the store and the account's record say it too; nothing is thrown.
 */
export async function payVault(payment: VaultPayment): Promise<Paying> {
  const earlier = payingStore.get()[payment.orderId]
  return earlier?.isRunning ? earlier : holdPage(pay(payment))
}

async function pay(payment: VaultPayment): Promise<Paying> {
  const { orderId } = payment
  const before = readPayment(payment.account, orderId)
  let stage: PayStage = 'checking'
  const show = (paying: Paying) => {
    payingStore.set({ ...payingStore.get(), [orderId]: paying })
    return paying
  }
  const enter = (next: PayStage) => {
    stage = next
    return show({ stage, isRunning: stage !== 'mined' })
  }
  try {
    const known = before?.hash
    enter(known === undefined ? 'checking' : 'sent')
    const core = await wallet()
    const hash = known ?? (await approveAndSend(core, payment, enter))
    if (known === undefined) {
      enter('sent')
      refresh()
    }
    if (!(await core.waitForTransaction(hash as `0x${string}`))) {
      keep(payment, { asked: undefined, hash: undefined, failedHash: hash })
      throw new PayError('payment_failed')
    }
    return enter('mined')
  } catch (error) {
    const reason = error instanceof PayError ? error.reason : walletFailure(error)
    // Of any other failure it is not known whether the wallet has sent it; and that this try has failed says nothing of
    // an earlier one whose answer got lost.
    if (reason !== 'other' && before?.asked !== true) keep(payment, { asked: undefined })
    return show({ stage, isRunning: false, failure: { reason, detail: walletErrorText(error) } })
  } finally {
    refresh()
  }
}

async function approveAndSend(
  core: WalletCore,
  payment: VaultPayment,
  enter: (stage: PayStage) => void,
): Promise<string> {
  const { token, units, served } = payment
  const call = depositCall(payment)
  if (served && !isSameCall(call, served)) throw new PayError('call_differs')
  await core.switchToRequiredChain()
  const native = await core.readBalance(null)
  if (token === null && native < units) throw new PayError('token_not_enough')
  // The native coin pays the network fee too: what is paid in it must leave something.
  if (native <= call.value) throw new PayError('gas')
  if (token !== null) {
    if ((await core.readBalance(token)) < units) throw new PayError('token_not_enough')
    await approve(core, payment, token, enter)
    keep(payment, { approved: true })
  }
  // Written down first: if the page goes away while the wallet asks, it is known that it was asked.
  keep(payment, { asked: true, failedHash: undefined })
  enter('paying')
  const hash = await core.sendTransaction(call)
  keep(payment, { hash })
  return hash
}

async function approve(
  core: WalletCore,
  payment: VaultPayment,
  token: string,
  enter: (stage: PayStage) => void,
): Promise<void> {
  const { units, vault } = payment
  const allowance = () => core.readAllowance({ token, spender: vault })
  if ((await allowance()) >= units) return
  const earlier = readPayment(payment.account, payment.orderId)?.approvalHash
  if (earlier !== undefined) {
    // An approval that is still under way is waited for, not asked for twice.
    enter('approval_sent')
    if ((await core.waitForTransaction(earlier as `0x${string}`)) && (await allowance()) >= units) return
  }
  if ((await allowance()) > 0n) {
    // Some tokens (USDT on chain 1) change no allowance but to or from zero.
    enter('approving')
    const hash = await core.approveExact({ token, spender: vault, units: 0n })
    enter('approval_sent')
    if (!(await core.waitForTransaction(hash))) throw new PayError('approval_failed')
  }
  enter('approving')
  const approvalHash = await core.approveExact({ token, spender: vault, units })
  keep(payment, { approvalHash })
  enter('approval_sent')
  if (!(await core.waitForTransaction(approvalHash)) || (await allowance()) < units)
    throw new PayError('approval_failed')
}

/** A payment that is known not to have happened, for a reason that the wallet did not give. */
class PayError extends Error {
  override readonly name = 'PayError'
  readonly reason: PayFailure

  constructor(reason: PayFailure) {
    super(reason)
    this.reason = reason
  }
}

function keep({ account, orderId }: VaultPayment, change: Omit<PaymentRecord, 'orderId'>): void {
  savePayment(account, { orderId, ...change })
}

function refresh(): void {
  void refreshPersonalData()
  void queryClient.invalidateQueries({ queryKey: ['chainBalance'] })
}
