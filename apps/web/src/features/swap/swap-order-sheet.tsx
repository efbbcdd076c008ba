import { useCall } from '../../api/use-call.ts'
import { m } from '../../generated/paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { formatAmount, formatDateTime, shortHex } from '../../ui/format.ts'
import { Sheet } from '../../ui/sheet.tsx'
import { orderStatus, type SwapOrder } from './swap-orders.tsx'

const POLL_MS = 2_000
/** Amounts of something that is done are shown to the last unit. */
const ALL_PLACES = 18

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
  const status = orderStatus(now?.status ?? order.status)
  const amount = (text: string, asset: string) => `${formatAmount(text, { places: ALL_PLACES })} ${asset}`
  const [base, quote] = order.inverse === 1 ? [bought, sold] : [sold, bought]
  const price = m.swap_price_of({ price: formatAmount(order.price, { places: 8 }), base, quote })
  return (
    <Sheet title={assets ? `${sold} → ${bought}` : order.symbol} onClose={onClose}>
      <FactList
        facts={[
          { label: m.swap_status(), value: <Badge tone={status.tone}>{status.text}</Badge> },
          ...(now?.reason ? [{ label: m.swap_reason(), value: now.reason }] : []),
          { label: m.swap_sold(), value: amount(order.amount_in, sold) },
          { label: m.swap_received(), value: amount(now?.amount_out ?? order.amount_out, bought) },
          { label: m.swap_fee_paid(), value: amount(order.fee, sold) },
          { label: m.swap_price(), value: price },
          { label: m.swap_time(), value: formatDateTime(order.created_at) },
          { label: m.swap_order_id(), value: <OrderId id={order.transaction_id} /> },
        ]}
      />
    </Sheet>
  )
}

export function OrderId({ id }: { id: string }) {
  return (
    <span className="-my-3 inline-flex items-center">
      {shortHex(id)}
      <CopyButton text={id} label={m.swap_copy_order_id()} />
    </span>
  )
}
