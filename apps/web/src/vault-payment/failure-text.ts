import { m } from '../generated/messages.ts'
import type { LostOutcome } from '../wallet/sent-transaction.ts'
import type { VaultRevert } from '../wallet/vault-revert.ts'
import type { Failure } from './payment-run.ts'

export interface FailureContext {
  /** The sentence where the wallet may have sent the payment; absent where it certainly did not. */
  readonly noResponse?: string | undefined
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
  const { noResponse, unpaid, held } = context
  // Past the deadline the screen says where the funds go.
  const isLate = revert === 'VoucherExpired'
  if (reason === 'payment_failed') {
    const { happened, funds, next } = LOST[lost ?? 'reverted']
    return texts(happened(), revert && REVERTS[revert](), funds?.(), lost !== 'dropped' && !isLate && held, next?.())
  }
  if (reason === 'approval_failed') {
    const { happened, funds, next } = LOST_APPROVAL[lost ?? 'short']
    return texts(happened(), funds?.(), next?.())
  }
  // This attempt failed, but an earlier request to the wallet may have sent the payment.
  if (noResponse !== undefined) return texts(reason !== 'other' && happenedText(failure, context), noResponse)
  return texts(happenedText(failure, context), revert !== 'NonceUsed' && !isLate && unpaid, nextText(failure, context))
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
      return revert ? REVERTS[revert]() : m.payment_fail_reverted()
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
      return revert && NEXT[revert]?.()
    default:
      return undefined
  }
}

const REVERTS: Readonly<Record<VaultRevert, () => string>> = {
  EnforcedPause: m.payment_fail_paused,
  VoucherExpired: m.payment_fail_expired,
  NonceUsed: m.payment_fail_used,
  WithdrawalExceedsLimit: m.payment_fail_limit,
  WithdrawalExceedsCap: m.payment_fail_cap,
  NotSignedBySigner: m.payment_fail_signer,
  NativeTransferFailed: m.payment_fail_receiver,
  WithdrawalExceedsLocked: m.payment_fail_locked,
  NotFresh: m.payment_fail_stale,
  VaultClosed: m.payment_fail_closed,
  AssetShort: m.payment_fail_owes,
  ExitOpen: m.payment_fail_leaving,
  NoExitOpen: m.payment_fail_no_exit,
  ExitNotReady: m.payment_fail_exit_early,
  ExitNotBooked: m.payment_fail_exit_unknown,
  NothingToPay: m.payment_fail_nothing,
  RootFrozen: m.payment_fail_frozen,
  RootNotReached: m.payment_fail_no_root,
  NotTheLastRoot: m.payment_fail_other_root,
  RootBeforeFloor: m.payment_fail_floor,
  WrongPath: m.payment_fail_path,
  CursorTimeOutOfRange: m.payment_fail_header,
}

/** The next step after an error of the vault that time or a step of the user removes. */
const NEXT: Partial<Readonly<Record<VaultRevert, () => string>>> = {
  EnforcedPause: m.payment_next_later,
  WithdrawalExceedsLimit: m.payment_next_later,
  WithdrawalExceedsLocked: m.payment_next_minute,
  NotFresh: m.payment_next_later,
  AssetShort: m.payment_next_later,
  ExitOpen: m.payment_next_cancel_exit,
  ExitNotReady: m.payment_next_later,
  ExitNotBooked: m.payment_next_minute,
  RootFrozen: m.payment_next_later,
  RootNotReached: m.payment_next_minute,
  NotTheLastRoot: m.payment_next_minute,
  RootBeforeFloor: m.payment_next_new_exit,
  WrongPath: m.payment_next_kit,
  CursorTimeOutOfRange: m.payment_next_minute,
}

type Text = () => string

interface LostTexts {
  readonly happened: Text
  readonly funds?: Text
  readonly next?: Text
}

const FEE_SPENT = { funds: m.payment_funds_fee }
const UNMOVED = { funds: m.payment_funds_unmoved }

const LOST: Readonly<Record<LostOutcome, LostTexts>> = {
  reverted: { happened: m.payment_lost_reverted, ...FEE_SPENT },
  out_of_gas: { happened: m.payment_lost_gas, ...FEE_SPENT, next: m.payment_next_gas },
  cancelled: { happened: m.payment_lost_cancelled, ...FEE_SPENT },
  replaced: { happened: m.payment_lost_replaced, ...UNMOVED },
  dropped: { happened: m.payment_lost_dropped, next: m.payment_next_look },
}

/** `short`: the approval is in a block, for less than the payment. */
const LOST_APPROVAL: Readonly<Record<LostOutcome | 'short', LostTexts>> = {
  reverted: { happened: m.payment_approval_reverted, ...FEE_SPENT },
  out_of_gas: { happened: m.payment_approval_gas, ...FEE_SPENT, next: m.payment_next_gas },
  cancelled: { happened: m.payment_approval_cancelled, ...FEE_SPENT },
  replaced: { happened: m.payment_approval_replaced, ...UNMOVED },
  dropped: { happened: m.payment_approval_dropped, ...UNMOVED, next: m.payment_next_retry },
  short: { happened: m.payment_approval_short, ...UNMOVED, next: m.payment_next_amount },
}

function texts(...parts: readonly (string | false | undefined)[]): string[] {
  return parts.filter((part) => typeof part === 'string')
}
