import { m } from '../generated/paraglide/messages.js'
import type { LostOutcome } from './sent-transaction.ts'

/** How a payment came to nothing on the chain: whether money moved, and what to do. */
export function lostText(lost: LostOutcome): string {
  switch (lost) {
    case 'reverted':
      return m.payment_lost_reverted()
    case 'out_of_gas':
      return m.payment_lost_gas()
    case 'cancelled':
      return m.payment_lost_cancelled()
    case 'replaced':
      return m.payment_lost_replaced()
    case 'dropped':
      return m.payment_lost_dropped()
  }
}

/** The same of an approval; `undefined` where it stands in a block, for less than it was to be. */
export function lostApprovalText(lost: LostOutcome | undefined): string {
  switch (lost) {
    case undefined:
      return m.payment_approval_short()
    case 'reverted':
      return m.payment_approval_reverted()
    case 'out_of_gas':
      return m.payment_approval_gas()
    case 'cancelled':
      return m.payment_approval_cancelled()
    case 'replaced':
      return m.payment_approval_replaced()
    case 'dropped':
      return m.payment_approval_dropped()
  }
}
