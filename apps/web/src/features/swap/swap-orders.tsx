import { type ReactNode, useState } from 'react'
import type { ListItem } from '../../api/use-list-call.ts'
import { cx } from '../../browser/cx.ts'
import { Badge, type BadgeTone } from '../../components/badge.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { explicitRead } from '../../components/explicit-read.ts'
import { IconButton } from '../../components/icon-button.tsx'
import { lazySheet } from '../../components/lazy-part.tsx'
import { ListEnd } from '../../components/list-end.tsx'
import { ListRow } from '../../components/list-row.tsx'
import { SegmentedControl } from '../../components/segmented-control.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatAmount, formatDateTime } from '../../i18n/format.ts'
import { pairName } from './pair-header.tsx'
import { useOrders } from './swap.queries.ts'
import { boughtAsset, type Pair, soldAsset } from './swap-terms.ts'

export const SwapOrderSheet = lazySheet(() => import('./swap-order-sheet.tsx'))

/** A row has room for so many; the order itself shows all of them. */
const ROW_PLACES = 5

export type SwapOrder = ListItem<'orders'>

/** My swaps, newest first, on and on as one scrolls: all of them, or those of the pair that is chosen. */
export function SwapOrders({
  pairs,
  pair,
  open,
  onOpen,
}: {
  pairs: readonly Pair[]
  pair: Pair
  /** The order that is shown in full. */
  open: SwapOrder | undefined
  onOpen: (order: SwapOrder | undefined) => void
}) {
  const [shown, setShown] = useState<'all' | 'pair'>('all')
  const orders = useOrders(shown === 'pair' ? pair.id : undefined)
  return (
    <Card
      title={m.swap_orders()}
      action={
        orders.isError && orders.data ? (
          <span className="flex items-center gap-1">
            <Badge tone="warn">{m.ui_stale()}</Badge>
            <IconButton
              icon="refresh-cw"
              label={m.app_retry()}
              onClick={() => void explicitRead(() => orders.refetch())}
              className={cx('-my-3 -me-3', orders.isFetching && 'text-accent')}
            />
          </span>
        ) : undefined
      }
    >
      <div className="mb-2">
        <SegmentedControl
          label={m.swap_orders_shown()}
          options={[
            { value: 'all', label: m.swap_orders_all() },
            { value: 'pair', label: pairName(pair) },
          ]}
          value={shown}
          onChange={setShown}
        />
      </div>
      {list()}
      {open && <SwapOrderSheet order={open} assets={assetsOf(open, pairs)} onClose={() => onOpen(undefined)} />}
    </Card>
  )

  function list(): ReactNode {
    if (!orders.data)
      return orders.isError ? (
        <ErrorState error={orders.error} onRetry={orders.refetch} />
      ) : (
        <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-3">
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
        </div>
      )
    if (orders.data.length === 0)
      return <EmptyState icon="history" title={m.swap_orders_empty()} text={m.swap_orders_empty_text()} />
    return (
      <>
        <ul className="-mb-2 flex flex-col divide-y divide-line">
          {orders.data.map((order) => (
            <li key={order.transaction_id}>
              <OrderRow order={order} pairs={pairs} onClick={() => onOpen(order)} />
            </li>
          ))}
        </ul>
        <ListEnd {...orders} />
      </>
    )
  }
}

function OrderRow({ order, pairs, onClick }: { order: SwapOrder; pairs: readonly Pair[]; onClick: () => void }) {
  const assets = assetsOf(order, pairs)
  const { text, tone } = orderStatus(order.status)
  return (
    <ListRow
      title={assets ? `${assets.sold} → ${assets.bought}` : order.symbol}
      detail={
        <>
          {formatDateTime(order.created_at)}
          <span className={cx('block', tone === 'down' && 'text-down')}>{text}</span>
        </>
      }
      value={`+${formatAmount(order.amount_out, { places: ROW_PLACES })} ${assets?.bought ?? ''}`}
      valueDetail={`−${formatAmount(order.amount_in, { places: ROW_PLACES })} ${assets?.sold ?? ''}`}
      onClick={onClick}
    />
  )
}

/** The assets that an order sold and bought; `undefined` where its pool is no longer offered. */
function assetsOf(order: Pick<SwapOrder, 'pool_id' | 'inverse'>, pairs: readonly Pair[]) {
  const pair = pairs.find(({ id }) => id === order.pool_id)
  if (!pair) return undefined
  const trade = { pair, inverse: order.inverse === 1 }
  return { sold: soldAsset(trade), bought: boughtAsset(trade) }
}

export function orderStatus(status: SwapOrder['status']): { text: string; tone: BadgeTone } {
  switch (status) {
    case 'pending':
      return { text: m.swap_status_pending(), tone: 'accent' }
    case 'completed':
      return { text: m.swap_status_completed(), tone: 'up' }
    case 'failed':
      return { text: m.swap_status_failed(), tone: 'down' }
  }
}
