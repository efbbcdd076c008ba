import { useState } from 'react'
import { useListCall } from '../../api/use-list-call.ts'
import { Button } from '../../components/button.tsx'
import { lazySheet } from '../../components/lazy-part.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { OrderListScreen } from './order-list-screen.tsx'
import { OrderRow } from './order-row.tsx'
import { useTransferRecords } from './transfer-record.ts'

const RetrieveSheet = lazySheet(() => import('./retrieve-sheet.tsx'))

const POLL_MS = 4_000

/** All transfers in, each with its state and the next step. */
export function BuyOrderScreen() {
  const records = useTransferRecords()
  const orders = useListCall('buyOrders', {}, { refetchInterval: POLL_MS })
  const [retrieving, setRetrieving] = useState(false)
  return (
    <OrderListScreen
      title={m.title_wallet_buy_order()}
      orders={orders}
      row={(order) => <OrderRow order={order} record={records.find(({ orderId }) => orderId === order.order_id)} />}
      empty={{ title: m.wallet_orders_empty(), text: m.wallet_orders_empty_text() }}
      begin={{ to: '/{-$locale}/wallet/buy', label: m.wallet_transfer_in() }}
    >
      <Button look="quiet" icon="search" onClick={() => setRetrieving(true)}>
        {m.wallet_retrieve()}
      </Button>
      {retrieving && <RetrieveSheet onClose={() => setRetrieving(false)} />}
    </OrderListScreen>
  )
}
