import { Badge } from '@clearwell/ui/components/badge.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { explicitRead } from '@clearwell/ui/components/explicit-read.ts'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { NoCards, Screen } from '@clearwell/ui/components/screen.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { type ReactNode, useState } from 'react'
import { DemoMark } from '../../account/demo-mark.tsx'
import { useAccountAddress } from '../../account/use-account.ts'
import { requestSignIn, useSignedIn } from '../../api/session-store.ts'
import { m } from '../../generated/messages.ts'
import { type LiquidationOrder, type SortBy, useLiquidationOrders, useServerNowMs } from './liquidation.queries.ts'
import { ORDERS } from './liquidation.samples.ts'
import { OrderCard } from './order-card.tsx'

const LiquidateSheet = lazySheet(() => import('./liquidate-sheet.tsx'))

/** The liquidation market: every order to be cleared, live, with what its liquidation would bring. */
export default function LiquidationScreen() {
  const [sort, setSort] = useState<SortBy>('newest')
  const orders = useLiquidationOrders(sort)
  const [opened, setOpened] = useState<LiquidationOrder>()
  const signedIn = useSignedIn()

  async function open(order: LiquidationOrder): Promise<void> {
    if (signedIn || (await requestSignIn())) setOpened(order)
  }

  return (
    <Screen
      title={m.nav_liquidation_market()}
      aside={
        <span className="flex items-center gap-1">
          {orders.isError && orders.data && <Badge tone="warning">{m.ui_stale()}</Badge>}
          <IconButton
            icon="refresh-cw"
            label={m.liquidation_refresh()}
            onClick={() => void explicitRead(() => orders.refetch())}
            className="-me-3"
          />
        </span>
      }
    >
      <div className="-mt-2 flex flex-col">
        <p className="text-pretty text-muted">{m.liquidation_intro()}</p>
        {/* It comes with the configuration, so its line is kept for it. */}
        <span className="mt-1 min-h-6">
          <DemoMark />
        </span>
      </div>
      <Orders orders={orders} sort={sort} onSort={setSort} onOpen={open} />
      {opened && (
        <LiquidateSheet
          opened={opened}
          // A failed poll and a list that goes on say nothing about the order.
          live={orders.data?.find(({ order_id }) => order_id === opened.order_id)}
          isGone={
            !orders.isError &&
            !orders.hasNextPage &&
            orders.data?.every(({ order_id }) => order_id !== opened.order_id) === true
          }
          onClose={() => setOpened(undefined)}
        />
      )}
    </Screen>
  )
}

function Orders({
  orders,
  sort,
  onSort,
  onOpen,
}: {
  orders: ReturnType<typeof useLiquidationOrders>
  sort: SortBy
  onSort: (sort: SortBy) => void
  onOpen: (order: LiquidationOrder) => void
}): ReactNode {
  const nowMs = useServerNowMs(orders.data?.[0]?.time)
  const { data } = orders
  if (data?.length === 0)
    return (
      <NoCards>
        <EmptyState icon="scale" title={m.liquidation_empty()} text={m.liquidation_empty_text()} />
      </NoCards>
    )
  if (!data && orders.isError)
    return (
      <NoCards>
        <ErrorState error={orders.error} onRetry={orders.refetch} />
      </NoCards>
    )
  return (
    <>
      <SegmentedControl
        label={m.liquidation_sort()}
        options={[
          { value: 'newest', label: m.liquidation_sort_newest() },
          { value: 'profit', label: m.liquidation_sort_profit() },
          { value: 'debt', label: m.liquidation_sort_debt() },
        ]}
        value={sort}
        onChange={onSort}
      />
      {data ? (
        <List orders={data} nowMs={nowMs} onOpen={onOpen} />
      ) : (
        <Pending>
          <List orders={ORDERS} nowMs={undefined} onOpen={onOpen} />
        </Pending>
      )}
      <ListEnd {...orders} />
    </>
  )
}

function List({
  orders,
  nowMs,
  onOpen,
}: {
  orders: readonly LiquidationOrder[]
  nowMs: number | undefined
  onOpen: (order: LiquidationOrder) => void
}) {
  const address = useAccountAddress()
  return (
    <ul aria-label={m.liquidation_orders()} className="screen-cards">
      {orders.map((order) => (
        <li key={order.order_id}>
          <OrderCard
            order={order}
            nowMs={nowMs}
            isOwn={address !== '' && order.user_address.toLowerCase() === address}
            onLiquidate={() => onOpen(order)}
          />
        </li>
      ))}
    </ul>
  )
}
