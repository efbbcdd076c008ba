import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { Badge } from '../../components/badge.tsx'
import { buttonClass } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { ListEnd } from '../../components/list-end.tsx'
import { Screen } from '../../components/screen.tsx'
import { Loading, RowsSkeleton } from '../../components/skeleton-shapes.tsx'
import { m } from '../../generated/messages.ts'

export const TRANSFERS_POLL_MS = 4_000

/** The part of `useListCall`'s result that a list needs. */
type Orders<Order> = Parameters<typeof ListEnd>[0] & {
  readonly data: Order[] | undefined
  readonly isError: boolean
  readonly error: Error | null
  readonly refetch: () => unknown
}

interface TransferListScreenProps<Order> {
  readonly title: string
  readonly orders: Orders<Order>
  readonly row: (order: Order) => ReactNode
  readonly empty: { readonly title: string; readonly text: string }
  readonly begin: { readonly to: '/{-$locale}/wallet/buy' | '/{-$locale}/wallet/sell'; readonly label: string }
  /** Below the list. */
  readonly children?: ReactNode
}

/** A list of transfers in one direction. */
export function TransferListScreen<Order extends { order_id: string }>({
  title,
  orders,
  row,
  empty,
  begin,
  children,
}: TransferListScreenProps<Order>) {
  const { signedIn } = useAccount()
  return (
    <Screen
      title={title}
      aside={orders.isError && orders.data && <Badge tone="warning">{m.ui_stale()}</Badge>}
      action={
        signedIn && (
          <Link to={begin.to} className={buttonClass()}>
            {begin.label}
          </Link>
        )
      }
    >
      {!signedIn ? (
        <SignedOut title={m.wallet_transfers_signed_out()} />
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
        <Loading>
          <RowsSkeleton />
        </Loading>
      )}
    </Screen>
  )
}
