import { useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/messages.ts'
import { RetrieveButton } from '../../vault-payment/retrieve-button.tsx'
import { TRANSFERS_POLL_MS, TransferListScreen } from './transfer-list-screen.tsx'
import { TransferInRow } from './transfer-row.tsx'
import { useTransferRecords } from './wallet.queries.ts'
import { ORDERS_IN } from './wallet.samples.ts'

/** All transfers in, each with its status and its next step. */
export default function TransfersInScreen() {
  const records = useTransferRecords()
  const orders = useListCall('buyOrders', {}, { refetchInterval: TRANSFERS_POLL_MS })
  return (
    <TransferListScreen
      title={m.title_wallet_buy_order()}
      view="in"
      orders={orders}
      samples={ORDERS_IN}
      row={(order) => (
        <TransferInRow order={order} record={records.find(({ orderId }) => orderId === order.order_id)} />
      )}
      empty={{ title: m.wallet_orders_empty(), text: m.wallet_orders_empty_text() }}
      begin={{ to: '/{-$locale}/wallet/buy', label: m.wallet_transfer_in() }}
    >
      <RetrieveButton />
    </TransferListScreen>
  )
}
