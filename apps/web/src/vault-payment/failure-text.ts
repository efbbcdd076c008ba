import { m } from '../generated/paraglide/messages.js'
import type { LostOutcome } from '../wallet/sent-transaction.ts'
import type { VaultRevert } from '../wallet/vault-revert.ts'
import type { Failure } from './payment-run.ts'

export interface FailureContext {
  /** Whether the wallet may have sent the payment. */
  readonly isUnknown: boolean
  /** Where the funds are when nothing was paid. */
  readonly unpaid: string
  /** Said after a failed transaction too, where the funds wait somewhere. */
  readonly held?: string | undefined
  readonly asset: string
  /** The native coin's symbol. */
  readonly coin: string
  readonly network: string
}

/** Why a payment stopped, in sentences: what happened, whether funds moved, what to do next. */
export function failureTexts(failure: Failure, context: FailureContext): string[] {
  const { reason, lost, revert } = failure
  const { isUnknown, unpaid, held } = context
  if (reason === 'payment_failed') {
    const { happened, funds, next } = lostTexts(lost ?? 'reverted')
    return texts(happened, revert && revertText(revert), funds, lost !== 'dropped' && held, next)
  }
  if (reason === 'approval_failed') {
    const { happened, funds, next } = lostApprovalTexts(lost)
    return texts(happened, funds, next)
  }
  if (reason === 'other' && isUnknown) return [m.payment_say_unanswered()]
  // An earlier request to the wallet may still be unanswered: then nothing is certain about the funds.
  return texts(
    happenedText(failure, context),
    revert !== 'NonceUsed' && !isUnknown && unpaid,
    nextText(failure, context),
  )
}

function happenedText({ reason, revert, detail }: Failure, { coin }: FailureContext): string {
  switch (reason) {
    case 'rejected':
      return m.payment_fail_rejected()
    case 'gas':
      return m.payment_fail_gas({ coin })
    case 'token_not_enough':
      return m.payment_fail_short()
    case 'network':
      return m.payment_fail_network()
    case 'reverted':
      return revert ? revertText(revert) : m.payment_fail_reverted()
    case 'call_differs':
      return m.payment_fail_differs()
    default:
      return m.payment_fail_detail({ detail })
  }
}

function nextText({ reason, revert }: Failure, { coin, asset, network }: FailureContext): string | undefined {
  switch (reason) {
    case 'gas':
      return m.payment_next_top_up({ coin })
    case 'token_not_enough':
      return m.payment_next_top_up({ coin: asset })
    case 'network':
      return m.payment_next_switch({ name: network })
    case 'call_differs':
      return m.payment_next_do_not_send()
    case 'reverted':
      return revert === 'EnforcedPause' || revert === 'WithdrawalExceedsLimit' ? m.payment_next_later() : undefined
    default:
      return undefined
  }
}

function revertText(revert: VaultRevert): string {
  switch (revert) {
    case 'EnforcedPause':
      return m.payment_fail_paused()
    case 'VoucherExpired':
      return m.payment_fail_expired()
    case 'NonceUsed':
      return m.payment_fail_used()
    case 'WithdrawalExceedsLimit':
      return m.payment_fail_limit()
    case 'WithdrawalExceedsCap':
      return m.payment_fail_cap()
    case 'NotSignedBySigner':
      return m.payment_fail_signer()
    case 'NativeTransferFailed':
      return m.payment_fail_receiver()
  }
}

interface LostTexts {
  readonly happened: string
  readonly funds?: string
  readonly next?: string
}

function lostTexts(lost: LostOutcome): LostTexts {
  switch (lost) {
    case 'reverted':
      return { happened: m.payment_lost_reverted(), funds: m.payment_funds_fee() }
    case 'out_of_gas':
      return { happened: m.payment_lost_gas(), funds: m.payment_funds_fee(), next: m.payment_next_gas() }
    case 'cancelled':
      return { happened: m.payment_lost_cancelled(), funds: m.payment_funds_fee() }
    case 'replaced':
      return { happened: m.payment_lost_replaced(), funds: m.payment_funds_unmoved() }
    case 'dropped':
      return { happened: m.payment_lost_dropped(), next: m.payment_next_look() }
  }
}

/** @param lost `undefined` where the approval is in a block, for less than the payment. */
function lostApprovalTexts(lost: LostOutcome | undefined): LostTexts {
  switch (lost) {
    case undefined:
      return {
        happened: m.payment_approval_short(),
        funds: m.payment_funds_unmoved(),
        next: m.payment_next_amount(),
      }
    case 'reverted':
      return { happened: m.payment_approval_reverted(), funds: m.payment_funds_fee() }
    case 'out_of_gas':
      return { happened: m.payment_approval_gas(), funds: m.payment_funds_fee(), next: m.payment_next_gas() }
    case 'cancelled':
      return { happened: m.payment_approval_cancelled(), funds: m.payment_funds_fee() }
    case 'replaced':
      return { happened: m.payment_approval_replaced(), funds: m.payment_funds_unmoved() }
    case 'dropped':
      return {
        happened: m.payment_approval_dropped(),
        funds: m.payment_funds_unmoved(),
        next: m.payment_next_retry(),
      }
  }
}

function texts(...parts: readonly (string | false | undefined)[]): string[] {
  return parts.filter((part) => typeof part === 'string')
}
