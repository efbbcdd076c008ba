import { useCall } from '../../api/use-call.ts'
import { Badge } from '../../components/badge.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatPrice } from '../../i18n/price-text.ts'
import { OrderId } from './order-id.tsx'
import { momentText } from './swap-facts.tsx'
import { exactly } from './swap-figures.ts'
import { orderStatus, type SwapOrder } from './swap-orders.tsx'
import { refusalNameText } from './swap-refusal.ts'

const POLL_MS = 2_000

/** One swap in full; what is still pending is asked for until it is not. */
export default function SwapOrderSheet({
  order,
  assets,
  onClose,
}: {
  order: SwapOrder
  assets: { sold: string; bought: string } | undefined
  onClose: () => void
}) {
  const { sold = '', bought = '' } = assets ?? {}
  const pending = order.status === 'pending'
  const now = useCall(
    'getOrderStatus',
    { transaction_id: order.transaction_id },
    { enabled: pending, refetchInterval: POLL_MS },
  ).data
  const { amount_in, amount_out, fee } = now ?? order
  const status = orderStatus(now?.status ?? order.status)
  const [base, quote] = order.inverse === 1 ? [bought, sold] : [sold, bought]
  return (
    <Sheet title={assets ? `${sold} → ${bought}` : order.symbol} onClose={onClose}>
      <FactList
        facts={[
          { label: m.swap_status(), value: <Badge tone={status.tone}>{status.text}</Badge> },
          ...(now?.reason ? [{ label: m.swap_reason(), value: refusalNameText(now.reason) }] : []),
          { label: m.swap_sold(), value: exactly(amount_in, sold) },
          { label: m.swap_received(), value: exactly(amount_out, bought) },
          { label: m.swap_price(), value: m.swap_price_of({ price: formatPrice(order.price), base, quote }) },
          { label: m.swap_fee_paid(), value: exactly(fee, sold) },
          { label: m.swap_time(), value: momentText(order.created_at) },
          { label: m.swap_order_id(), value: <OrderId id={order.transaction_id} /> },
        ]}
      />
    </Sheet>
  )
}
