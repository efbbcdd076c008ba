import { queryClient, refreshPersonalData } from '../api/query-client.ts'
import { blockReloadWhile } from '../browser/page-reload.ts'
import { createStore, useStore } from '../browser/store.ts'
import { type PaymentRecord, readPayment, savePayment } from './payment-record.ts'
import type { ChainCall, LostOutcome, SentTransaction } from './sent-transaction.ts'
import { type VaultRevert, vaultRevert } from './vault-revert.ts'
import { wallet } from './wallet.ts'
import type { WalletCore } from './wallet-core.ts'
import { walletErrorText } from './wallet-error.ts'
import { type WalletFailure, walletFailure } from './wallet-failure.ts'
import type { VoucherFault } from './withdraw-call.ts'

/** Where a payment stands between the wallet and its block; from there on the server counts confirmations. */
export type PayStage = 'checking' | 'signing' | 'approving' | 'approval_sent' | 'paying' | 'sent' | 'mined'

export type PayFailure =
  | WalletFailure
  /** The wallet holds less than is to be paid. */
  | 'token_not_enough'
  /** The approval came to nothing on the chain: `lost` says how. */
  | 'approval_failed'
  /** The payment came to nothing on the chain, and the amount is where it was: `lost` says how. */
  | 'payment_failed'
  /** The server's call is not the payment that was confirmed. */
  | 'call_differs'

/** Why a payment stopped. */
export interface Failure {
  readonly reason: PayFailure
  /** What the wallet said. */
  readonly detail: string
  readonly lost?: LostOutcome | undefined
  /** Which of the vault's errors the chain threw, or would throw. */
  readonly revert?: VaultRevert | undefined
  /** What of a voucher is not what was confirmed, where `call_differs`. */
  readonly fault?: VoucherFault | undefined
}

/** What is being done about a payment, and why it stopped. */
export interface Paying {
  readonly stage: PayStage
  readonly isRunning: boolean
  readonly failure?: Failure | undefined
}

/** Outside React: a payment goes on when its screen is left. By order id. */
const payingStore = createStore<Readonly<Record<string, Paying>>>({})

export function usePaying(orderId: string): Paying | undefined {
  return useStore(payingStore)[orderId]
}

/** Whose payment of which order: what this device knows of it is kept under both. */
export interface PaymentKey {
  readonly account: string
  readonly orderId: string
}

/** How a kind of payment gets from its confirmation to a transaction. */
export interface PaymentSteps {
  /** Asks the wallet for what comes before, if anything, and answers the call that pays. */
  prepare(core: WalletCore, enter: (stage: PayStage) => void): Promise<ChainCall>
}

/**
 * Takes a payment from its confirmation to its block: prepares the call, asks the wallet to send it, and follows it, also
 * where the wallet sends another in its place. Goes on from what an earlier attempt has sent, without sending twice.
 *
 * @returns how it ended, as the store and the account's record say it too; nothing is thrown.
 */
export async function runPayment(key: PaymentKey, steps: PaymentSteps): Promise<Paying> {
  const earlier = payingStore.get()[key.orderId]
  return earlier?.isRunning ? earlier : blockReloadWhile(run(key, steps))
}

async function run(key: PaymentKey, steps: PaymentSteps): Promise<Paying> {
  const { account, orderId } = key
  const before = readPayment(account, orderId)
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
    enter(before?.hash === undefined ? 'checking' : 'sent')
    const core = await wallet()
    let call: ChainCall | undefined
    let sent = sentOf(before)
    if (!sent) {
      call = await steps.prepare(core, enter)
      // Written down first: if the page goes away while the wallet asks, it is known that it was asked.
      keep(key, { asked: true, failedHash: undefined, failedBy: undefined, failedRevert: undefined })
      enter('paying')
      sent = await core.sendTransaction(call)
      keep(key, { hash: sent.hash, sent })
      enter('sent')
      refresh()
    }
    const outcome = await core.follow(sent, (known) => keep(key, { hash: known.hash, sent: known }))
    if (outcome.outcome !== 'succeeded') {
      const revert = outcome.outcome === 'reverted' && call ? await revertOf(core, call) : undefined
      keep(key, {
        asked: undefined,
        hash: undefined,
        sent: undefined,
        permitted: undefined,
        failedHash: outcome.hash,
        failedBy: outcome.outcome,
        failedRevert: revert,
      })
      throw new PayError('payment_failed', { lost: outcome.outcome, revert })
    }
    return enter('mined')
  } catch (error) {
    const failure = failureOf(error)
    // Of any other failure it is not known whether the wallet has sent it; and that this try has failed says nothing of
    // an earlier one whose answer got lost.
    if (failure.reason !== 'other' && before?.asked !== true) keep(key, { asked: undefined, permitted: undefined })
    return show({ stage, isRunning: false, failure })
  } finally {
    refresh()
  }
}

/**
 * Waits for what was sent before this page was loaded, and then leaves the payment to its user: the wallet is asked for
 * nothing.
 *
 * @returns why it came to nothing; `undefined` where it did not, or where something is being done about the payment.
 */
export async function resumePayment(
  key: PaymentKey,
  stage: PayStage,
  wait: (core: WalletCore) => Promise<void>,
): Promise<Paying | undefined> {
  const { orderId } = key
  if (payingStore.get()[orderId]) return undefined
  const show = (paying: Paying | undefined) => {
    const { [orderId]: _, ...others } = payingStore.get()
    payingStore.set(paying ? { ...others, [orderId]: paying } : others)
    return paying
  }
  show({ stage, isRunning: true })
  try {
    await wait(await wallet())
    return show(undefined)
  } catch (error) {
    return show({ stage, isRunning: false, failure: failureOf(error) })
  } finally {
    refresh()
  }
}

/**
 * Follows an approval to its block, under whatever hash the wallet gives it.
 *
 * @throws PayError where it came to nothing.
 */
export async function followApproval(core: WalletCore, key: PaymentKey, approval: SentTransaction): Promise<void> {
  const outcome = await core.follow(approval, (known) => keepApproval(key, known))
  if (outcome.outcome === 'succeeded') return
  forgetApproval(key)
  throw new PayError('approval_failed', { lost: outcome.outcome })
}

export function keepApproval(key: PaymentKey, approval: SentTransaction): void {
  keep(key, { approvalHash: approval.hash, approvalSent: approval })
}

export function forgetApproval(key: PaymentKey): void {
  keep(key, { approvalHash: undefined, approvalSent: undefined })
}

function failureOf(error: unknown): Failure {
  const detail = walletErrorText(error)
  if (error instanceof PayError) return { reason: error.reason, detail, ...error.more }
  const reason = walletFailure(error)
  return { reason, detail, revert: reason === 'reverted' ? vaultRevert(error) : undefined }
}

/** What an earlier attempt has sent. */
function sentOf(record: PaymentRecord | undefined): SentTransaction | undefined {
  if (record?.hash === undefined) return undefined
  return record.sent?.hash === record.hash ? record.sent : { hash: record.hash }
}

/** Which of the vault's errors the chain throws for a call, asked again as its receipt does not say it. */
async function revertOf(core: WalletCore, call: ChainCall): Promise<VaultRevert | undefined> {
  return core.estimateFee(call).then(() => undefined, vaultRevert)
}

/** A payment that is known not to have happened, for a reason that the wallet did not give. */
export class PayError extends Error {
  override readonly name = 'PayError'
  readonly reason: PayFailure
  readonly more: Pick<Failure, 'lost' | 'revert' | 'fault'>

  constructor(reason: PayFailure, more: PayError['more'] = {}) {
    super(reason)
    this.reason = reason
    this.more = more
  }
}

/** Adds to what this device knows of a payment. */
export function keep({ account, orderId }: PaymentKey, change: Omit<PaymentRecord, 'orderId'>): void {
  savePayment(account, { orderId, ...change })
}

/** @throws PayError where the account's native coin does not pay for a call; else what the chain would say against it. */
export async function requireFee(core: WalletCore, call: ChainCall, native: bigint): Promise<void> {
  // Nothing at all is the plainest case, and some nodes answer it with words of their own.
  if (native <= call.value) throw new PayError('gas')
  if ((await core.estimateFee(call)) + call.value > native) throw new PayError('gas')
}

function refresh(): void {
  void refreshPersonalData()
  void queryClient.invalidateQueries({ queryKey: ['chainBalance'] })
}
