import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import { Badge } from '../../components/badge.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { ListEnd } from '../../components/list-end.tsx'
import { Screen } from '../../components/screen.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'

/** What `useListCall` answers, as far as a list of orders needs it. */
type Orders<Order> = Parameters<typeof ListEnd>[0] & {
  readonly data: Order[] | undefined
  readonly isError: boolean
  readonly error: Error | null
  readonly refetch: () => unknown
}

interface OrderListScreenProps<Order> {
  readonly title: string
  readonly orders: Orders<Order>
  readonly row: (order: Order) => ReactNode
  readonly empty: { readonly title: string; readonly text: string }
  readonly begin: { readonly to: '/{-$locale}/wallet/buy' | '/{-$locale}/wallet/sell'; readonly label: string }
  /** Under the list. */
  readonly children?: ReactNode
}

/** All transfers of one way, each with its state and the next step. */
export function OrderListScreen<Order extends { order_id: string }>({
  title,
  orders,
  row,
  empty,
  begin,
  children,
}: OrderListScreenProps<Order>) {
  const { signedIn } = useAccount()
  return (
    <Screen
      title={title}
      aside={orders.isError && orders.data && <Badge tone="warn">{m.ui_stale()}</Badge>}
      action={
        <Link to={begin.to} className={buttonClass()}>
          {begin.label}
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
            <EmptyState icon="receipt-text" {...empty} />
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {orders.data.map((order) => (
                <li key={order.order_id}>{row(order)}</li>
              ))}
            </ul>
          )}
          <ListEnd {...orders} />
          {children}
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
    </Screen>
  )
}
