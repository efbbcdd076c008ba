import { queryClient, refreshPersonalData } from '../../api/query-client.ts'
import { createStore, useStore } from '../../ui/store.ts'
import { wallet } from '../../wallet/wallet.ts'
import type { WalletCore } from '../../wallet/wallet-core.ts'
import { walletErrorText } from '../../wallet/wallet-error.ts'
import { type WalletFailure, walletFailure } from '../../wallet/wallet-failure.ts'
import { depositCall } from './deposit-call.ts'
import { readTransfer, saveTransfer, type TransferRecord } from './transfer-record.ts'

/** What the payment of an order is at. */
export type PaymentStep = 'checking' | 'approve_in_wallet' | 'approve_on_chain' | 'send_in_wallet'

/** Why the payment stopped. */
export interface PaymentFailure {
  readonly at: 'approve' | 'send'
  readonly reason: WalletFailure | 'failed_on_chain'
  /** What the wallet said. */
  readonly detail: string
  /** For certain: no deposit left the wallet. */
  readonly nothingSent: boolean
}

export interface Payment {
  readonly account: string
  readonly orderId: string
  readonly asset: string
  readonly amount: string
  readonly vault: string
  /** The asset's contract, or `null` for the native coin. */
  readonly token: string | null
  /** The amount in the token's own base units. */
  readonly units: bigint
}

interface PaymentState {
  readonly step?: PaymentStep | undefined
  readonly failure?: PaymentFailure | undefined
}

/** Outside React: a payment goes on when its screen is left. By order id. */
const paymentsStore = createStore<Readonly<Record<string, PaymentState>>>({})

export function usePaymentState(orderId: string): PaymentState {
  return useStore(paymentsStore)[orderId] ?? {}
}

/**
 * Pays an order: approves exactly the amount where the vault may not take it yet, then sends the deposit. Picks up what
 * an earlier attempt has done. The outcome is in the store and in the account's record, never thrown.
 */
export async function payTransfer(payment: Payment): Promise<void> {
  const { orderId } = payment
  if (paymentsStore.get()[orderId]?.step) return
  show(orderId, { step: 'checking' })
  let at: PaymentFailure['at'] = 'approve'
  try {
    const core = await wallet()
    if (payment.token !== null) await approve(core, payment, payment.token)
    at = 'send'
    await send(core, payment)
    show(orderId, {})
    void refreshPersonalData()
  } catch (error) {
    const failure = failureOf(error, at)
    if (failure.nothingSent) save(payment, { sendAsked: false })
    show(orderId, { failure })
  }
  void queryClient.invalidateQueries({ queryKey: ['chainBalance'] })
}

async function approve(core: WalletCore, payment: Payment, token: string): Promise<void> {
  const { vault, units, orderId } = payment
  const isEnough = async () => (await core.readAllowance({ token, spender: vault })) >= units
  const earlier = readTransfer(payment.account, orderId)?.approveHash
  if (!(await isEnough())) {
    // An approval that is still under way is waited for, not asked for twice.
    const underWay = earlier !== undefined && (await settles(core, payment, earlier)) && (await isEnough())
    if (!underWay) {
      show(orderId, { step: 'approve_in_wallet' })
      const hash = await core.approveExact({ token, spender: vault, units })
      save(payment, { approveHash: hash })
      const settled = await settles(core, payment, hash)
      if (!settled || !(await isEnough())) throw new FailedOnChain()
    }
  }
  save(payment, { approved: true })
}

async function settles(core: WalletCore, { orderId }: Payment, hash: string): Promise<boolean> {
  show(orderId, { step: 'approve_on_chain' })
  return core.waitForTransaction(hash as `0x${string}`)
}

async function send(core: WalletCore, payment: Payment): Promise<void> {
  show(payment.orderId, { step: 'send_in_wallet' })
  // Written down first: if the page goes away while the wallet asks, it is known that it was asked.
  save(payment, { sendAsked: true, sendHash: undefined })
  const { to, data, value } = depositCall(payment)
  save(payment, { sendHash: await core.sendTransaction({ to, data, value }) })
}

class FailedOnChain extends Error {
  override readonly name = 'FailedOnChain'
}

function failureOf(error: unknown, at: PaymentFailure['at']): PaymentFailure {
  const reason = error instanceof FailedOnChain ? 'failed_on_chain' : walletFailure(error)
  return { at, reason, detail: walletErrorText(error), nothingSent: at === 'approve' || reason !== 'other' }
}

function show(orderId: string, state: PaymentState): void {
  paymentsStore.set({ ...paymentsStore.get(), [orderId]: state })
}

function save({ account, orderId, asset, amount }: Payment, change: Partial<TransferRecord>): void {
  saveTransfer(account, { orderId, asset, amount, ...change })
}
