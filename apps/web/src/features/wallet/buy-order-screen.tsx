import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { Screen } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { OrderRow } from './order-row.tsx'
import { useTransferRecords } from './transfer-record.ts'

const RetrieveSheet = lazy(() => import('./retrieve-sheet.tsx'))

const POLL_MS = 4_000

/** All transfers in, each with its state and the next step. */
export function BuyOrderScreen() {
  const { signedIn } = useAccount()
  const records = useTransferRecords()
  const orders = useListCall('buyOrders', {}, { refetchInterval: POLL_MS })
  const [retrieving, setRetrieving] = useState(false)
  return (
    <Screen
      title={m.title_wallet_buy_order()}
      aside={orders.isError && orders.data && <Badge tone="warn">{m.ui_stale()}</Badge>}
      action={
        <Link to="/{-$locale}/wallet/buy" className={buttonClass()}>
          {m.wallet_transfer_in()}
        </Link>
      }
    >
      {!signedIn ? (
        <Card className="flex flex-col gap-4">
          <p>{m.wallet_signed_out()}</p>
          <GatedButton needs="session">{m.nav_connect()}</GatedButton>
        </Card>
      ) : orders.data ? (
        <>
          {orders.data.length === 0 ? (
            <EmptyState icon="receipt-text" title={m.wallet_orders_empty()} text={m.wallet_orders_empty_text()} />
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {orders.data.map((order) => (
                <li key={order.order_id}>
                  <OrderRow order={order} record={records.find(({ orderId }) => orderId === order.order_id)} />
                </li>
              ))}
            </ul>
          )}
          <ListEnd {...orders} />
          <Button look="quiet" icon="search" onClick={() => setRetrieving(true)}>
            {m.wallet_retrieve()}
          </Button>
        </>
      ) : orders.isError ? (
        <ErrorState error={orders.error} onRetry={orders.refetch} />
      ) : (
        <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-2">
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
        </div>
      )}
      <Suspense>{retrieving && <RetrieveSheet onClose={() => setRetrieving(false)} />}</Suspense>
    </Screen>
  )
}
