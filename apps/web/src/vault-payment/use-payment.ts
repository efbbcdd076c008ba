import type { Step } from '@clearwell/ui/components/progress-steps.tsx'
import { useEffect } from 'react'
import { useAccountAddress } from '../account/use-account.ts'
import { takeConfirmation } from './confirmed-here.ts'
import { type PayWay, usePayWay } from './pay-way.ts'
import { type PaymentRecord, usePaymentRecords } from './payment-record.ts'
import { type Failure, type PaymentRun, usePaymentRun } from './payment-run.ts'
import { type PaymentEvent, type PaymentState, reducePayment } from './payment-state.ts'

/**
 * A payment's purpose: its order, its words, and its own steps. Everything else is the same for all payments; add a
 * purpose in its feature, and show it with `PaymentScreen`.
 */
export interface PaymentPurpose {
  readonly orderId: string
  readonly amount: string
  readonly asset: string
  /** The server's progress, once the order is loaded. */
  readonly order?: OrderProgress | undefined
  /** The server's word on the payment. `failure` is why the payment stopped here, if it did. */
  orderEvent(failure: Failure | undefined): PaymentEvent | undefined
  /** The token that the vault must be allowed to take, in base units; absent for the native coin and for vouchers. */
  readonly allowance?: { readonly token: string; readonly units: bigint } | undefined
  /** True if the server has prepared the payment. Absent if the server takes no part in that. */
  readonly isPrepared?: boolean
  /** Returns whether a record belongs to an earlier payment of the same order. */
  isEarlier?(record: PaymentRecord): boolean
  /** Pays, or continues with the transaction that was sent before. */
  pay(): void
  /** Waits for an approval that was sent before this page was loaded. */
  resumeApproval?(): void
  /** True if a payment that this page lost can be looked up by its hash. */
  readonly isRetrievable?: boolean
  /** Where to go once it is over; absent where the screen changes then. */
  readonly again?: { readonly to: '/{-$locale}/wallet/buy' | '/{-$locale}/wallet/sell'; readonly label: string }
  /** The screen of the end, with a receipt; absent where another screen shows it. */
  readonly done?: { readonly title: string; readonly receipt: string; readonly isOut?: boolean }
  readonly texts: PaymentTexts
}

export interface OrderProgress {
  readonly tx_hash: string | null
  readonly confirmations: number
  readonly required: number
  readonly created_at?: string
}

export interface PaymentTexts {
  readonly title: string
  readonly amountLabel: string
  readonly progress: string
  /** In the place of the steps of a payment: how an order ended that was never paid. */
  readonly ended?: readonly Step[] | undefined
  /** Labels of the steps. `prepare` is for payments without an allowance; without it they have no such step. */
  readonly prepare?: string
  readonly send: string
  readonly settle: string
  /** Beside the last step once it is done. */
  readonly settled?: string
  readonly pay: string
  /** The sentence for a state, where the shared one does not fit. */
  readonly say: Partial<Record<PaymentState, string>>
  /** Where the funds are when nothing was paid. */
  readonly unpaid: string
  /** The same after a transaction that failed on the chain, where the funds wait somewhere. */
  readonly held?: string
}

/** A payment's facts for its screen. */
export interface Payment {
  readonly state: PaymentState
  /** True if the vault may take the amount already, or the voucher is signed. */
  readonly isPrepared: boolean
  readonly way: PayWay | undefined
  readonly run: PaymentRun | undefined
  readonly record: PaymentRecord | undefined
  /** Why it stopped, where its user needs to know. */
  readonly failure: Failure | undefined
}

/** Follows a payment, also one that another page sent. */
export function usePayment(purpose: PaymentPurpose): Payment {
  const { orderId, allowance } = purpose
  const stored = usePaymentRecords(useAccountAddress()).find((record) => record.orderId === orderId)
  const isEarlier = stored !== undefined && purpose.isEarlier?.(stored) === true
  const latest = usePaymentRun(orderId)
  const run = isEarlier && !latest?.isRunning ? undefined : latest
  const record = isEarlier ? undefined : stored
  const view = viewPayment(purpose, { run, record })
  const way = usePayWay(allowance?.token, allowance?.units ?? 0n)

  // It was sent before this page was loaded: its block is waited for again, without asking the wallet.
  // Or it was confirmed on this page and waited for its signature: then the wallet is asked now.
  useEffect(() => {
    if (run !== undefined) return
    if (view.state === 'sent') purpose.pay()
    if (view.state === 'approval_sent') purpose.resumeApproval?.()
    if (view.state === 'ready' && takeConfirmation(orderId)) purpose.pay()
  })
  return { ...view, way, run, record }
}

/** Pure: combines the purpose, the work of this page and the stored record. */
export function viewPayment(
  purpose: Pick<PaymentPurpose, 'orderEvent' | 'isPrepared' | 'allowance'>,
  { run, record }: Partial<Pick<Payment, 'run' | 'record'>>,
): Pick<Payment, 'state' | 'isPrepared' | 'failure'> {
  const failure = run?.failure ?? failureBefore(record)
  const state = paymentState({ run, record, order: purpose.orderEvent(failure) })
  const isPrepared = purpose.isPrepared ?? (purpose.allowance === undefined || isAllowed(run, record))
  return { state, isPrepared, failure: shownFailure(state, failure) }
}

function paymentState({
  run,
  record,
  order,
}: {
  run?: Pick<PaymentRun, 'state' | 'isRunning'> | undefined
  record?: PaymentRecord | undefined
  order?: PaymentEvent | undefined
}): PaymentState {
  const events = [recordEvent(run, record), order].filter((event) => event !== undefined)
  return events.reduce<PaymentState>((state, event) => reducePayment(state, event), run?.state ?? 'ready')
}

function recordEvent(
  run: Pick<PaymentRun, 'isRunning'> | undefined,
  record: PaymentRecord | undefined,
): PaymentEvent | undefined {
  if (!record || run?.isRunning) return undefined
  // Another tab may have sent it after the attempt of this one.
  if (record.hash !== undefined) return 'payment_sent'
  if (run) return undefined
  if (record.failedHash !== undefined) return record.failedBy === 'dropped' ? 'lose' : 'fail'
  if (record.asked) return 'lose'
  return record.approvalHash !== undefined && !record.approved ? 'approval_sent' : undefined
}

function isAllowed(run: PaymentRun | undefined, record: PaymentRecord | undefined): boolean {
  return run?.isPrepared === true || record?.approved === true || record?.failedHash !== undefined
}

/** The record keeps a failure on the chain over a reload. */
function failureBefore(record: PaymentRecord | undefined): Failure | undefined {
  if (record?.failedHash === undefined) return undefined
  return { reason: 'payment_failed', detail: '', lost: record.failedBy, revert: record.failedRevert }
}

/** No failure is shown once the payment continued, and past the deadline only the deadline itself. */
function shownFailure(state: PaymentState, failure: Failure | undefined): Failure | undefined {
  switch (state) {
    case 'stopped':
    case 'no_response':
    case 'differs':
      return failure
    case 'overdue':
      return failure?.revert === 'VoucherExpired' ? failure : undefined
    case 'mined':
      return failure?.revert === 'NonceUsed' ? failure : undefined
    default:
      return undefined
  }
}
