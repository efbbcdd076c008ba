import type { Failure, Paying } from '../../wallet/paying.ts'
import type { PaymentRecord } from '../../wallet/payment-record.ts'
import type { SellOrder } from '../../wallet/withdraw-call.ts'
import { isNothingSent, type Stage, waitingFor } from './transfer-stages.ts'

export type WithdrawStageKey = 'lock' | 'submit' | 'block' | 'confirm' | 'complete'
export type WithdrawStage = Omit<Stage, 'key'> & { readonly key: WithdrawStageKey }

/** What the user can do about a transfer out. */
export type WithdrawNext =
  /** It goes on by itself. */
  | 'wait'
  /** The amount is locked, the voucher not signed yet. */
  | 'wait_signature'
  | 'answer_wallet'
  /** The voucher is there: submit it. */
  | 'submit'
  /** It was not submitted, or came to nothing: submit it again. */
  | 'retry'
  /** The wallet was asked, and its answer got lost: only its user can see there whether it was sent. */
  | 'check_wallet'
  /** The voucher is not what was confirmed: it is not submitted from here. */
  | 'differs'
  /** The deadline has passed with nothing submitted: the amount comes back by itself. */
  | 'overdue'
  /** It has come back. */
  | 'expired'
  | 'done'

/** Everything that is known of a transfer out, from the server, this device and the wallet. */
export interface WithdrawFacts {
  readonly order?: Pick<SellOrder, 'status' | 'confirmations' | 'required'> | undefined
  readonly record?: PaymentRecord | undefined
  readonly paying?: Paying | undefined
  /** The chain has passed the voucher's deadline. */
  readonly isOverdue: boolean
}

/** Where a transfer out stands, stage by stage, and what comes next. */
export function withdrawStages({ order, record, paying, isOverdue }: WithdrawFacts): {
  stages: WithdrawStage[]
  next: WithdrawNext
} {
  const { failure, isRunning = false, stage } = paying ?? {}
  const status = order?.status
  const completed = status === 'completed'
  const expired = status === 'expired'
  // A nonce that is used has paid: the server is only later to see it.
  const paid = completed || status === 'submitted' || stage === 'mined' || failure?.revert === 'NonceUsed'
  const confirmed =
    completed || (status === 'submitted' && order !== undefined && order.confirmations >= order.required)
  const lost = !paid && record?.failedHash !== undefined
  const sent = paid || (!expired && record?.hash !== undefined)
  const isLocked = status === 'locked'
  const isTooLate =
    expired || failure?.revert === 'VoucherExpired' || record?.failedRevert === 'VoucherExpired' || isOverdue
  const next = nextStep()

  return {
    stages: [
      { key: 'lock', state: !isLocked ? 'done' : next === 'overdue' ? 'failed' : 'now' },
      { key: 'submit', state: submitState() },
      { key: 'block', state: paid ? 'done' : sent ? 'now' : 'todo' },
      { key: 'confirm', state: confirmed ? 'done' : paid ? 'now' : 'todo' },
      { key: 'complete', state: completed ? 'done' : confirmed ? 'now' : 'todo' },
    ],
    next,
  }

  function submitState(): Stage['state'] {
    if (sent) return 'done'
    if (isLocked) return 'todo'
    if (isRunning) return 'now'
    if (isTooLate || lost || failure) return 'failed'
    return record?.asked ? 'now' : 'todo'
  }

  function nextStep(): WithdrawNext {
    if (completed) return 'done'
    if (expired) return 'expired'
    if (sent) return 'wait'
    if (isRunning && stage !== undefined) return waitingFor(stage)
    if (isTooLate) return 'overdue'
    if (isLocked) return 'wait_signature'
    if (failure?.fault === 'unsigned') return 'wait'
    if (failure?.reason === 'call_differs') return 'differs'
    if (failure && failure.lost === undefined)
      return isNothingSent({ stage: stage ?? 'checking', failure, isRunning }, record) ? 'retry' : 'check_wallet'
    if (lost) return record?.failedBy === 'dropped' ? 'check_wallet' : 'retry'
    if (record?.asked) return 'check_wallet'
    // Not in the list of the server yet: it is there in a moment, and its voucher with it.
    return order === undefined ? 'wait' : 'submit'
  }
}

/**
 * What is to be told of a failure: nothing once the transfer has gone on or is over, and past the deadline only that it
 * was the deadline, as all else asks to try again.
 */
export function withdrawFailure(
  next: WithdrawNext,
  failure: Failure | undefined,
  record: PaymentRecord | undefined,
): Failure | undefined {
  const known = failure ?? failedBefore(record)
  switch (next) {
    case 'retry':
    case 'check_wallet':
    case 'differs':
      return known
    case 'overdue':
      return known?.revert === 'VoucherExpired' ? known : undefined
    case 'wait':
      return failure?.revert === 'NonceUsed' ? failure : undefined
    case 'wait_signature':
    case 'answer_wallet':
    case 'submit':
    case 'expired':
    case 'done':
      return undefined
  }
}

/** A payment that came to nothing on the chain is told of by the record, after a reload too. */
function failedBefore(record: PaymentRecord | undefined): Failure | undefined {
  if (record?.failedHash === undefined) return undefined
  return { reason: 'payment_failed', detail: '', lost: record.failedBy, revert: record.failedRevert }
}
