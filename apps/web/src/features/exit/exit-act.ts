import { useEffect } from 'react'
import { useAccountAddress } from '../../account/use-account.ts'
import { queryClient } from '../../api/query-client.ts'
import { forgetPayment, usePaymentRecords } from '../../vault-payment/payment-record.ts'
import { dropRun, type Failure, requireFee, runPayment, usePaymentRun } from '../../vault-payment/payment-run.ts'
import type { PaymentState } from '../../vault-payment/payment-state.ts'
import { viewPayment } from '../../vault-payment/use-payment.ts'
import type { ChainCall } from '../../wallet/sent-transaction.ts'
import type { WalletCore } from '../../wallet/wallet-core.ts'

/** A transaction of the account's own wallet for its exit. Each asset is finished by its own. */
export type ExitAct = 'request' | 'cancel' | `finish:${string}`

/** A transaction of an exit on this device, also one that an earlier page has sent. */
export interface ActView {
  readonly state: PaymentState
  readonly failure: Failure | undefined
  readonly isBusy: boolean
  /** Asks the wallet to send it, or continues with the one that was sent. */
  readonly send: (build: (core: WalletCore) => ChainCall) => Promise<void>
}

const NO_ORDER = { orderEvent: () => undefined, isPrepared: true }
const BUSY: readonly PaymentState[] = ['checking', 'paying', 'sent', 'mined']

export function useExitAct(act: ExitAct): ActView {
  const account = useAccountAddress()
  const orderId = orderIdOf(act)
  const record = usePaymentRecords(account).find((each) => each.orderId === orderId)
  const run = usePaymentRun(orderId)
  const { state, failure } = viewPayment(NO_ORDER, { run, record })
  // It was sent before this page was loaded: its block is waited for, without asking the wallet.
  useEffect(() => {
    if (run === undefined && state === 'sent') void sendAct({ account, orderId })
  })
  return {
    state,
    failure,
    isBusy: BUSY.includes(state),
    send: (build) => sendAct({ account, orderId, build }),
  }
}

/** Forgets mined transactions once the server's state has changed by them. */
export function useForgetMined(acts: readonly ExitAct[], change: string): void {
  useEffect(() => {
    if (change === '') return
    for (const act of acts) dropRun(orderIdOf(act))
  }, [acts, change])
}

async function sendAct({
  account,
  orderId,
  build,
}: {
  readonly account: string
  readonly orderId: string
  readonly build?: (core: WalletCore) => ChainCall
}): Promise<void> {
  const { state } = await runPayment({ account, orderId }, async (core) => {
    if (!build) throw new Error('nothing was sent before')
    const call = build(core)
    await core.switchToRequiredChain()
    // Estimates its gas, so the chain objects before the wallet opens.
    await requireFee(core, call, await core.readBalance(null))
    return call
  })
  if (state !== 'mined') return
  forgetPayment(account, orderId)
  for (const key of ['proofExit', 'proofClaims']) void queryClient.invalidateQueries({ queryKey: [key] })
}

function orderIdOf(act: ExitAct): string {
  return `exit:${act}`
}
