import { useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/paraglide/messages.js'
import { OrderListScreen } from './order-list-screen.tsx'
import { SellOrderRow } from './sell-order-row.tsx'
import { useTransferRecords } from './transfer-record.ts'

const POLL_MS = 4_000

/** All transfers out, each with its state and the next step: submit the voucher, wait, or nothing more. */
export function SellOrderScreen() {
  const records = useTransferRecords()
  const orders = useListCall('sellOrders', {}, { refetchInterval: POLL_MS })
  return (
    <OrderListScreen
      title={m.title_wallet_sell_order()}
      orders={orders}
      row={(order) => <SellOrderRow order={order} record={records.find(({ orderId }) => orderId === order.order_id)} />}
      empty={{ title: m.wallet_out_orders_empty(), text: m.wallet_out_orders_empty_text() }}
      begin={{ to: '/{-$locale}/wallet/sell', label: m.wallet_transfer_out() }}
    />
  )
}
