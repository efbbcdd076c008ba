import { createStore, useStore } from '@clearwell/ui/browser/store.ts'
import { showToast } from '@clearwell/ui/components/toast-store.ts'
import { refreshPersonalData } from '../api/query-client.ts'
import { blockReloadWhile } from '../browser/page-reload.ts'
import type { ChainCall, LostOutcome, SentTransaction } from '../wallet/sent-transaction.ts'
import type { VoucherFault } from '../wallet/vault-calls.ts'
import type { VaultRevert } from '../wallet/vault-revert.ts'
import { wallet } from '../wallet/wallet.ts'
import type { WalletCore } from '../wallet/wallet-core.ts'
import { type WalletFailure, walletErrorText, walletFailure } from '../wallet/wallet-error.ts'
import { refreshChainBalances } from './payment-assets.ts'
import { type PaymentRecord, readPayment, savePayment } from './payment-record.ts'
import { type PaymentEvent, type PaymentState, reducePayment } from './payment-state.ts'

export type PaymentFailure =
  | WalletFailure
  /** The wallet holds less than the payment. */
  | 'token_not_enough'
  /** The approval did not succeed on the chain; see `lost`. */
  | 'approval_failed'
  /** The payment did not succeed on the chain, and the amount did not move; see `lost`. */
  | 'payment_failed'
  /** The server's call is not the confirmed payment. */
  | 'call_differs'

/** Why a payment stopped. */
export interface Failure {
  readonly reason: PaymentFailure
  /** The wallet's own words. */
  readonly detail: string
  readonly lost?: LostOutcome | undefined
  /** The vault's error that the chain threw, or would throw. */
  readonly revert?: VaultRevert | undefined
  /** The part of a voucher that is not as confirmed, where `call_differs`. */
  readonly fault?: VoucherFault | undefined
}

/** A payment that this page works on, or worked on. */
export interface PaymentRun {
  readonly state: PaymentState
  readonly isRunning: boolean
  /** True if the wallet was asked for the payment itself, so the vault was allowed to take the amount. */
  readonly isPrepared: boolean
  readonly failure?: Failure | undefined
}

/** Outside React, by order id: a payment continues when its screen is left. */
const runs = createStore<Readonly<Record<string, PaymentRun>>>({})

export function usePaymentRun(orderId: string): PaymentRun | undefined {
  return useStore(runs)[orderId]
}

/** Forgets the outcome of a payment that is not in progress. */
export function dropRun(orderId: string): void {
  const { [orderId]: run, ...others } = runs.get()
  if (run && !run.isRunning) runs.set(others)
}

/** Under which account and order this device stores a payment. */
export interface PaymentKey {
  readonly account: string
  readonly orderId: string
}

/** Asks the wallet for the steps before the payment, if any. @returns the call that pays. */
export type PreparePayment = (core: WalletCore, dispatch: (event: PaymentEvent) => void) => Promise<ChainCall>

/**
 * Takes a payment from its confirmation to its block: prepares the call, asks the wallet to send it, and follows it even
 * where the wallet replaces it. Continues from the transactions of an earlier attempt, so nothing is sent twice.
 *
 * @returns the outcome, which the store and the account's record have too. Never throws.
 */
export async function runPayment(key: PaymentKey, prepare: PreparePayment): Promise<PaymentRun> {
  const earlier = runs.get()[key.orderId]
  return earlier?.isRunning ? earlier : blockReloadWhile(run(key, prepare))
}

async function run(key: PaymentKey, prepare: PreparePayment): Promise<PaymentRun> {
  const before = readPayment(key.account, key.orderId)
  const dispatch = begin(key, before?.hash === undefined ? 'start' : 'payment_sent')
  let core: WalletCore | undefined
  try {
    core = await wallet()
    let call: ChainCall | undefined
    let sent = sentBefore(before)
    if (!sent) {
      call = await prepare(core, dispatch)
      // Stored first: if the page closes while the wallet asks, the next page knows that the wallet was asked.
      keep(key, { asked: true, failedHash: undefined, failedBy: undefined, failedRevert: undefined })
      dispatch('ask_payment')
      sent = await core.sendTransaction(call)
      keep(key, { hash: sent.hash, sent })
      dispatch('payment_sent')
      refresh()
    }
    await followPayment(core, key, { sent, call })
    return dispatch('payment_mined')
  } catch (error) {
    const failure = failureOf(error, core)
    showWalletError(error, core)
    // After any other failure the wallet may have sent it. And this failure says nothing about an earlier request
    // whose response was lost.
    if (failure.reason !== 'other' && before?.asked !== true) keep(key, { asked: undefined, permitted: undefined })
    return dispatch(stopEvent(key, failure), failure)
  } finally {
    refresh()
  }
}

type Dispatch = (event: PaymentEvent, failure?: Failure) => PaymentRun

/** Starts a run in the store. @returns the function that changes it by the table. */
function begin({ orderId }: PaymentKey, first: PaymentEvent): Dispatch {
  let current: PaymentRun = { state: 'ready', isRunning: true, isPrepared: false }
  const dispatch: Dispatch = (event, failure) => {
    const state = reducePayment(current.state, event)
    const isPrepared = current.isPrepared || event === 'ask_payment' || event === 'payment_sent'
    const isRunning = failure === undefined && state !== 'mined'
    current = { state, isRunning, isPrepared, ...(failure ? { failure } : {}) }
    runs.set({ ...runs.get(), [orderId]: current })
    return current
  }
  dispatch(first)
  return dispatch
}

async function followPayment(
  core: WalletCore,
  key: PaymentKey,
  { sent, call }: { sent: SentTransaction; call: ChainCall | undefined },
): Promise<void> {
  const outcome = await core.follow(sent, (known) => keep(key, { hash: known.hash, sent: known }))
  if (outcome.outcome === 'succeeded') return
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
  throw new PaymentError('payment_failed', { lost: outcome.outcome, revert })
}

/** Returns `fail` if nothing was paid for certain, `lose` if the wallet may have sent a payment, now or earlier. */
function stopEvent({ account, orderId }: PaymentKey, { reason, lost }: Failure): PaymentEvent {
  if (reason === 'call_differs') return 'mismatch'
  // A dropped transaction may have been replaced by the same payment: only the wallet knows.
  if (reason === 'payment_failed') return lost === 'dropped' ? 'lose' : 'fail'
  return readPayment(account, orderId)?.asked === true ? 'lose' : 'fail'
}

/**
 * Waits for an approval that was sent before this page was loaded, and leaves the payment to its user: a wallet does not
 * open because a page was loaded.
 *
 * @returns the failed run; `undefined` where the approval succeeded, or the payment is already in progress.
 */
export async function resumeRun(
  key: PaymentKey,
  wait: (core: WalletCore) => Promise<void>,
): Promise<PaymentRun | undefined> {
  const { orderId } = key
  if (runs.get()[orderId]) return undefined
  const dispatch = begin(key, 'approval_sent')
  let core: WalletCore | undefined
  try {
    core = await wallet()
    await wait(core)
    const { [orderId]: _, ...others } = runs.get()
    runs.set(others)
    return undefined
  } catch (error) {
    const failure = failureOf(error, core)
    showWalletError(error, core)
    return dispatch(stopEvent(key, failure), failure)
  } finally {
    refresh()
  }
}

/** Follows an approval to its block, under any hash that the wallet gives it. @throws PaymentError where it failed. */
export async function followApproval(core: WalletCore, key: PaymentKey, approval: SentTransaction): Promise<void> {
  const outcome = await core.follow(approval, (known) => keepApproval(key, known))
  if (outcome.outcome === 'succeeded') return
  forgetApproval(key)
  throw new PaymentError('approval_failed', { lost: outcome.outcome })
}

export function keepApproval(key: PaymentKey, approval: SentTransaction): void {
  keep(key, { approvalHash: approval.hash, approvalSent: approval })
}

export function forgetApproval(key: PaymentKey): void {
  keep(key, { approvalHash: undefined, approvalSent: undefined })
}

/** Adds to the stored record of a payment. */
export function keep({ account, orderId }: PaymentKey, change: Omit<PaymentRecord, 'orderId'>): void {
  savePayment(account, { orderId, ...change })
}

/** A payment that certainly did not happen, for a reason that the wallet did not give. */
export class PaymentError extends Error {
  override readonly name = 'PaymentError'
  readonly reason: PaymentFailure
  readonly more: Pick<Failure, 'lost' | 'revert' | 'fault'>

  constructor(reason: PaymentFailure, more: PaymentError['more'] = {}) {
    super(reason)
    this.reason = reason
    this.more = more
  }
}

/** @throws PaymentError where the native coin does not cover a call, or the chain's objection to the call. */
export async function requireFee(core: WalletCore, call: ChainCall, native: bigint): Promise<void> {
  // Compared here first, as some nodes describe an empty account in their own words.
  if (native <= call.value) throw new PaymentError('gas')
  if ((await core.estimateFee(call)) + call.value > native) throw new PaymentError('gas')
}

function failureOf(error: unknown, core: WalletCore | undefined): Failure {
  const detail = walletErrorText(error)
  if (error instanceof PaymentError) return { reason: error.reason, detail, ...error.more }
  const reason = walletFailure(error)
  return { reason, detail, revert: reason === 'reverted' ? core?.vaultCalls.vaultRevert(error) : undefined }
}

/** A toast as for every error of a wallet or its node (specification §8), beside the explanation on the screen. */
function showWalletError(error: unknown, core: WalletCore | undefined): void {
  if (core && !(error instanceof PaymentError)) showToast(walletErrorText(error))
}

function sentBefore(record: PaymentRecord | undefined): SentTransaction | undefined {
  if (record?.hash === undefined) return undefined
  return record.sent?.hash === record.hash ? record.sent : { hash: record.hash }
}

/** The vault's error for a call, asked again as a receipt does not name it. */
async function revertOf(core: WalletCore, call: ChainCall): Promise<VaultRevert | undefined> {
  return core.estimateFee(call).then(() => undefined, core.vaultCalls.vaultRevert)
}

function refresh(): void {
  void refreshPersonalData()
  void refreshChainBalances()
}
