import { useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/messages.ts'
import { TRANSFERS_POLL_MS, TransferListScreen } from './transfer-list-screen.tsx'
import { TransferOutRow } from './transfer-row.tsx'
import { useTransferRecords } from './wallet.queries.ts'
import { ORDERS_OUT } from './wallet.samples.ts'

/** All transfers out, each with its status and its next step. */
export default function TransfersOutScreen() {
  const records = useTransferRecords()
  const orders = useListCall('sellOrders', {}, { refetchInterval: TRANSFERS_POLL_MS })
  return (
    <TransferListScreen
      title={m.title_wallet_sell_order()}
      view="out"
      orders={orders}
      samples={ORDERS_OUT}
      row={(order) => (
        <TransferOutRow order={order} record={records.find(({ orderId }) => orderId === order.order_id)} />
      )}
      empty={{ title: m.wallet_out_orders_empty(), text: m.wallet_out_orders_empty_text() }}
      begin={{ to: '/{-$locale}/wallet/sell', label: m.wallet_transfer_out() }}
    />
  )
}
