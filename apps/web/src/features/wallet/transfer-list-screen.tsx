import { Badge } from '@clearwell/ui/components/badge.tsx'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen, ScreenPart } from '@clearwell/ui/components/screen.tsx'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { m } from '../../generated/messages.ts'
import { Part } from '../../manifest/parts.ts'

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
  /** Its view of the activity. */
  readonly view: 'in' | 'out'
  readonly orders: Orders<Order>
  readonly samples: readonly Order[]
  readonly row: (order: Order) => ReactNode
  readonly empty: { readonly title: string; readonly text: string }
  readonly begin: { readonly to: '/{-$locale}/wallet/buy' | '/{-$locale}/wallet/sell'; readonly label: string }
  /** Below the list. */
  readonly children?: ReactNode
}

/** A list of transfers in one direction. */
export function TransferListScreen<Order extends { order_id: string }>({
  title,
  view,
  orders,
  samples,
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
      {signedIn ? (
        <>
          <ScreenPart>
            <Part of="activityViews" shown={view} />
          </ScreenPart>
          <ScreenPart>
            {orders.data ? (
              <>
                {orders.data.length === 0 ? (
                  <EmptyState icon="receipt-text" {...empty} />
                ) : (
                  <List orders={orders.data} row={row} />
                )}
                <ListEnd {...orders} />
                {children}
              </>
            ) : orders.isError ? (
              <ErrorState error={orders.error} onRetry={orders.refetch} />
            ) : (
              <Pending>
                <List orders={samples} row={row} />
                {children}
              </Pending>
            )}
          </ScreenPart>
        </>
      ) : (
        <SignedOut title={m.wallet_transfers_signed_out()} />
      )}
    </Screen>
  )
}

function List<Order extends { order_id: string }>({
  orders,
  row,
}: {
  orders: readonly Order[]
  row: (order: Order) => ReactNode
}) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {orders.map((order) => (
        <li key={order.order_id}>{row(order)}</li>
      ))}
    </ul>
  )
}
