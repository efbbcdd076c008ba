import type { Answer } from '@clearwell/api/routes'
import type { Paying, PayStage } from '../../wallet/paying.ts'
import type { PaymentRecord } from '../../wallet/payment-record.ts'

export type BuyOrder = Answer<'buyOrders'>['items'][number]

export type StageKey = 'approve' | 'send' | 'seen' | 'confirm' | 'credit'

export interface Stage {
  readonly key: StageKey
  readonly state: 'done' | 'now' | 'todo' | 'failed'
}

/** What the user can do: nothing but wait, look at the wallet, or go on. */
export type NextStep =
  | 'wait'
  | 'answer_wallet'
  /** Nothing was asked of the wallet yet, or its part was interrupted: pay now. */
  | 'pay'
  /** The wallet was asked to send, and its answer got lost: only the user can see there whether it did. */
  | 'check_wallet'
  /** The wallet did not send: try again. */
  | 'retry'
  /** The order has lapsed unpaid: begin a new one. */
  | 'restart'
  | 'done'

/** Everything that is known of a transfer in, from the server, the chain, this device and the wallet. */
export interface TransferFacts {
  /** The native coin needs no approval. */
  readonly native: boolean
  readonly order?: Pick<BuyOrder, 'status' | 'confirmations' | 'required'> | undefined
  readonly record?: PaymentRecord | undefined
  /** What is being done at this moment, or why it stopped. */
  readonly paying?: Paying | undefined
}

/** Where a transfer in stands, stage by stage, and what comes next. */
export function transferStages(facts: TransferFacts): { stages: Stage[]; next: NextStep } {
  const { native, order, record, paying } = facts
  const failure = paying?.failure
  const stage = paying?.isRunning ? paying.stage : undefined
  const isPaying = paying?.stage === 'paying' || paying?.stage === 'sent'
  // A permit goes with the payment itself: until that was asked for, it is signed anew.
  const permitted = record?.permitted === true && record.asked === true
  const approved = native || record?.approved === true || permitted || isPaying
  const credited = order?.status === 'credited'
  const onChain = credited || order?.status === 'seen' || paying?.stage === 'mined'
  const lost = !onChain && record?.failedHash !== undefined
  const sent = onChain || record?.hash !== undefined
  const confirmed = onChain && order !== undefined && order.confirmations >= order.required

  const stages: Stage[] = [
    { key: 'send', state: sendState() },
    { key: 'seen', state: onChain ? 'done' : sent ? 'now' : 'todo' },
    { key: 'confirm', state: credited || confirmed ? 'done' : onChain ? 'now' : 'todo' },
    { key: 'credit', state: credited ? 'done' : confirmed ? 'now' : 'todo' },
  ]
  if (!native) stages.unshift({ key: 'approve', state: approveState() })
  return { stages, next: nextStep() }

  function approveState(): Stage['state'] {
    if (sent || lost || approved) return 'done'
    if (stage === 'checking' || stage === 'signing' || stage === 'approving' || stage === 'approval_sent') return 'now'
    if (failure) return 'failed'
    return record?.approvalHash === undefined ? 'todo' : 'now'
  }

  function sendState(): Stage['state'] {
    if (sent) return 'done'
    if (stage === 'paying') return 'now'
    if (lost || (failure && approved)) return 'failed'
    return record?.asked ? 'now' : 'todo'
  }

  function nextStep(): NextStep {
    if (credited) return 'done'
    if (sent) return 'wait'
    if (stage !== undefined) return waitingFor(stage)
    if (failure && failure.lost === undefined) return isNothingSent(paying, record) ? 'retry' : 'check_wallet'
    // What took its place is not known: only the wallet can tell whether it was the same payment.
    if (lost) return record?.failedBy === 'dropped' ? 'check_wallet' : 'retry'
    if (failure) return isNothingSent(paying, record) ? 'retry' : 'check_wallet'
    if (record?.asked) return 'check_wallet'
    return order?.status === 'expired' ? 'restart' : 'pay'
  }
}

/**
 * For certain: nothing was moved, since no payment left the wallet or its block threw it out, and no earlier request to
 * the wallet was left without its answer.
 */
export function isNothingSent({ stage, failure }: Paying, record: Pick<PaymentRecord, 'asked'> | undefined): boolean {
  if (failure?.reason === 'other') return stage !== 'paying' && stage !== 'sent'
  return record?.asked !== true
}

/** Whether the wallet is waiting for its user's answer, or the user for something else. */
export function waitingFor(stage: PayStage): 'wait' | 'answer_wallet' {
  switch (stage) {
    case 'checking':
    case 'approval_sent':
    case 'sent':
    case 'mined':
      return 'wait'
    case 'signing':
    case 'approving':
    case 'paying':
      return 'answer_wallet'
  }
}
