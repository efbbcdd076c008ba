import { m } from '../../generated/paraglide/messages.js'
import type { PaymentRecord } from '../../wallet/payment-record.ts'
import { TransferRow, type TransferState } from './transfer-row.tsx'
import type { BuyOrder } from './transfer-stages.ts'

/** A transfer in: how it stands and what comes next. `way`: it says that it comes in. */
export function OrderRow({
  order,
  record,
  way = false,
}: {
  order: BuyOrder
  record: PaymentRecord | undefined
  way?: boolean
}) {
  const shown = order.status === 'credited' ? { ...order, amount: order.credited } : order
  return <TransferRow order={shown} state={stateOf(order, record)} way={way} />
}

/** Orders that are on their way: seen on the chain, or sent from this device, perhaps, and not seen yet. */
export function isUnderWay(order: BuyOrder, record: PaymentRecord | undefined): boolean {
  if (order.status === 'seen') return true
  return order.status === 'created' && (record?.hash !== undefined || record?.asked === true)
}

function stateOf(order: BuyOrder, record: PaymentRecord | undefined): TransferState {
  switch (order.status) {
    case 'credited':
      return { tone: 'accent', label: m.wallet_order_credited(), next: undefined }
    case 'seen':
      return {
        tone: 'plain',
        label: m.wallet_order_seen(),
        next: m.wallet_order_next_seen({ n: order.confirmations, m: order.required }),
      }
    case 'expired':
    case 'created':
      if (record?.hash) return { tone: 'plain', label: m.wallet_order_sent(), next: m.wallet_order_next_sent() }
      // Its answer is missing: told to pay now, its user would pay twice.
      if (record?.asked) return { tone: 'warn', label: m.wallet_order_asked(), next: m.wallet_order_next_asked() }
      return order.status === 'expired'
        ? { tone: 'plain', label: m.wallet_order_expired(), next: m.wallet_order_next_expired() }
        : { tone: 'warn', label: m.wallet_order_created(), next: m.wallet_order_next_created() }
  }
}
