import type { Paying } from '../../wallet/paying.ts'
import type { PaymentRecord } from '../../wallet/payment-record.ts'
import type { ActivationOrder } from './activation.queries.ts'

export type StepKey = 'approve' | 'send' | 'seen' | 'confirm' | 'activate'
export type StepState = 'done' | 'now' | 'todo' | 'failed'

/** What the user can do. */
export type NextStep =
  | 'wait'
  /** The wallet asks: answer it. */
  | 'answer_wallet'
  /** Nothing was asked of the wallet yet: pay. */
  | 'pay'
  /** It did not happen: try again. */
  | 'retry'
  /** The wallet was asked to pay and its answer got lost: only its user can see whether it did. */
  | 'check_wallet'

/** Everything that is known of the payment: from the server, from this device, and of what is being done right now. */
export interface PaymentFacts {
  readonly order: Pick<ActivationOrder, 'status' | 'confirmations' | 'required'>
  readonly record: Pick<PaymentRecord, 'approved' | 'asked' | 'hash' | 'failedHash' | 'failedBy'> | undefined
  readonly paying: Paying | undefined
}

/** Where the payment of an activation stands, and what comes next. */
export function paymentSteps({ order, record, paying }: PaymentFacts): {
  steps: { key: StepKey; state: StepState }[]
  next: NextStep
} {
  const { stage, failure, isRunning = false } = paying ?? {}
  const seen = order.status !== 'created'
  const mined = seen || stage === 'mined'
  const sent = mined || record?.hash !== undefined
  const lost = !sent && record?.failedHash !== undefined
  const confirmed = order.status === 'credited' || (seen && order.confirmations >= order.required)
  const approvedBefore = record?.approved === true && !isRunning
  const approved = sent || lost || approvedBefore || record?.asked === true || stage === 'paying' || stage === 'sent'

  return {
    steps: [
      { key: 'approve', state: approveState() },
      { key: 'send', state: sendState() },
      { key: 'seen', state: mined ? 'done' : sent ? 'now' : 'todo' },
      { key: 'confirm', state: confirmed ? 'done' : mined ? 'now' : 'todo' },
      { key: 'activate', state: confirmed ? 'now' : 'todo' },
    ],
    next: nextStep(),
  }

  function approveState(): StepState {
    if (approved) return 'done'
    if (isRunning) return 'now'
    return failure ? 'failed' : 'todo'
  }

  function sendState(): StepState {
    if (sent) return 'done'
    if (isRunning) return approved && !lost ? 'now' : 'todo'
    return lost || (failure && approved) ? 'failed' : 'todo'
  }

  function nextStep(): NextStep {
    if (sent) return 'wait'
    if (isRunning) return stage === 'signing' || stage === 'approving' || stage === 'paying' ? 'answer_wallet' : 'wait'
    if (record?.asked || (lost && record.failedBy === 'dropped')) return 'check_wallet'
    return failure || lost ? 'retry' : 'pay'
  }
}
