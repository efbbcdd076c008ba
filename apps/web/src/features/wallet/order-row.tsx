import { useNavigate } from '@tanstack/react-router'
import { m } from '../../generated/paraglide/messages.js'
import { AmountText } from '../../ui/amount-text.tsx'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { ListRow } from '../../ui/list-row.tsx'
import type { PaymentRecord } from '../../wallet/payment-record.ts'
import type { BuyOrder } from './transfer-stages.ts'

/** A transfer in: how it stands and what comes next. The row leads to its progress. `way`: it says that it goes in. */
export function OrderRow({
  order,
  record,
  way = false,
}: {
  order: BuyOrder
  record: PaymentRecord | undefined
  way?: boolean
}) {
  const navigate = useNavigate()
  const { tone, label, next } = stateOf(order, record)
  return (
    <ListRow
      {...(way ? { icon: 'arrow-down-to-line' as const } : {})}
      title={
        <AmountText
          amount={order.status === 'credited' ? order.credited : order.amount}
          asset={order.asset}
          className="font-semibold"
        />
      }
      detail={
        <>
          <span className="block">
            {way && `${m.wallet_transfer_in()} · `}
            {formatDateTime(order.created_at)}
          </span>
          {next && <span className="block text-text">{next}</span>}
        </>
      }
      value={<Badge tone={tone}>{label}</Badge>}
      onClick={() => navigate({ to: '/{-$locale}/wallet/sendTransaction', search: { order: order.order_id } })}
    />
  )
}

/** Orders that are on their way: seen on the chain, or sent from this device, perhaps, and not seen yet. */
export function isUnderWay(order: BuyOrder, record: PaymentRecord | undefined): boolean {
  if (order.status === 'seen') return true
  return order.status === 'created' && (record?.hash !== undefined || record?.asked === true)
}

function stateOf(
  order: BuyOrder,
  record: PaymentRecord | undefined,
): { tone: BadgeTone; label: string; next: string | undefined } {
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
      return order.status === 'expired'
        ? { tone: 'plain', label: m.wallet_order_expired(), next: m.wallet_order_next_expired() }
        : { tone: 'warn', label: m.wallet_order_created(), next: m.wallet_order_next_created() }
  }
}
