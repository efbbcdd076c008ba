import type { Answer } from '@clearwell/api/routes'
import type { PaymentFailure, PaymentStep } from './pay-transfer.ts'
import type { TransferRecord } from './transfer-record.ts'

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
  readonly record?: TransferRecord | undefined
  /** What is being done at this moment. */
  readonly step?: PaymentStep | undefined
  readonly failure?: PaymentFailure | undefined
  /** How the deposit fared in its block: `false` when it failed there or was replaced by another. */
  readonly mined?: boolean | undefined
}

/** Where a transfer in stands, stage by stage, and what comes next. */
export function transferStages(facts: TransferFacts): { stages: Stage[]; next: NextStep } {
  const { native, order, record, step, failure, mined } = facts
  const credited = order?.status === 'credited'
  const onChain = credited || order?.status === 'seen' || mined === true
  const lost = !onChain && mined === false
  const sent = onChain || (record?.sendHash !== undefined && !lost)
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
    if (sent || lost || record?.approved) return 'done'
    if (step === 'checking' || step === 'approve_in_wallet' || step === 'approve_on_chain') return 'now'
    if (failure?.at === 'approve') return 'failed'
    return record?.approveHash === undefined ? 'todo' : 'now'
  }

  function sendState(): Stage['state'] {
    if (sent) return 'done'
    if (step === 'send_in_wallet') return 'now'
    if (lost || failure?.at === 'send') return 'failed'
    return record?.sendAsked ? 'now' : 'todo'
  }

  function nextStep(): NextStep {
    if (credited) return 'done'
    if (sent) return 'wait'
    if (step !== undefined) return waitingFor(step)
    if (failure !== undefined) return failure.nothingSent ? 'retry' : 'check_wallet'
    if (lost) return 'retry'
    if (record?.sendAsked) return 'check_wallet'
    return order?.status === 'expired' ? 'restart' : 'pay'
  }
}

function waitingFor(step: PaymentStep): NextStep {
  switch (step) {
    case 'checking':
    case 'approve_on_chain':
      return 'wait'
    case 'approve_in_wallet':
    case 'send_in_wallet':
      return 'answer_wallet'
  }
}
