import { m } from '../generated/paraglide/messages.js'
import type { PayWay } from './pay-way.ts'

/** What the wallet will ask, in a word or two; while the way is not known yet, what it may come to at most. */
export function payWayText(way: PayWay | undefined): string {
  switch (way) {
    case 'native':
    case 'allowed':
      return m.payment_ask_send()
    case 'permit':
      return m.payment_ask_permit()
    case 'approve':
    case undefined:
      return m.payment_ask_approve()
  }
}
