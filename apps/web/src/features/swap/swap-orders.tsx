import { cx } from '@clearwell/ui/browser/cx.ts'
import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { explicitRead } from '@clearwell/ui/components/explicit-read.ts'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { ListRow } from '@clearwell/ui/components/list-row.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { formatAmount, listDecimals } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { type ReactNode, useState } from 'react'
import { m } from '../../generated/messages.ts'
import { type SwapOrder, useOrders } from './swap.queries.ts'
import { ORDERS } from './swap.samples.ts'
import { firstDraft, type SwapDraft } from './swap-draft.ts'
import { orderStatus, pairName } from './swap-facts.tsx'
import { boughtAsset, type Pair, soldAsset } from './swap-terms.ts'

/** The user's swaps on the screen. */

export const SwapOrderSheet = lazySheet(() => import('./swap-order-sheet.tsx'))

/** The list of orders, newest first, loaded while scrolling: all of them, or those of the chosen pair. */
export function SwapOrders({
  pairs,
  pair,
  open,
  onOpen,
  onRepeat,
}: {
  pairs: readonly Pair[]
  pair: Pair
  /** The order that a sheet shows in full. */
  open: SwapOrder | undefined
  onOpen: (order: SwapOrder | undefined) => void
  /** Fills the form with the pair, side and amount of an order; `isPressed`: as if its button had been pressed too. */
  onRepeat: (pair: Pair, draft: SwapDraft, isPressed?: boolean) => void
}) {
  const [shown, setShown] = useState<'all' | 'pair'>('all')
  const orders = useOrders(shown === 'pair' ? pair.id : undefined)
  return (
    <Section
      title={m.swap_orders()}
      action={
        orders.isError && orders.data ? (
          <span className="flex items-center gap-1">
            <Badge tone="warning">{m.ui_stale()}</Badge>
            <IconButton
              icon="refresh-cw"
              label={m.app_retry()}
              onClick={() => void explicitRead(() => orders.refetch())}
              className={cx('-my-3 -me-3', orders.isFetching && 'text-accent')}
            />
          </span>
        ) : (
          <RepeatLast onRepeat={lastRepeat()} />
        )
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
      {open && (
        <SwapOrderSheet
          order={open}
          assets={assetsOf(open, pairs)}
          onRepeat={repeatOf(open)}
          onClose={() => onOpen(undefined)}
        />
      )}
    </Section>
  )

  /** `undefined` where the pool of the order is no longer offered. */
  function repeatOf({ pool_id, inverse, amount_in }: SwapOrder, { isPressed = false } = {}): (() => void) | undefined {
    const on = pairs.find(({ id }) => id === pool_id)
    if (!on) return undefined
    return () => {
      onOpen(undefined)
      onRepeat(on, firstDraft(on, { inverse: inverse === 1, amount: amount_in }), isPressed)
      window.scrollTo(0, 0)
    }
  }

  /** Repeats the newest completed swap whose pool is still offered, up to its confirmation. */
  function lastRepeat(): (() => void) | undefined {
    const last = orders.data?.find(({ status }) => status === 'completed')
    return last && repeatOf(last, { isPressed: true })
  }

  function list(): ReactNode {
    if (!orders.data)
      return orders.isError ? (
        <ErrorState error={orders.error} onRetry={orders.refetch} />
      ) : (
        <Pending>
          <Rows orders={ORDERS} pairs={pairs} onOpen={onOpen} />
        </Pending>
      )
    if (orders.data.length === 0)
      return <EmptyState icon="history" title={m.swap_orders_empty()} text={m.swap_orders_empty_text()} />
    return (
      <>
        <Rows orders={orders.data} pairs={pairs} onOpen={onOpen} />
        <ListEnd {...orders} />
      </>
    )
  }
}

/** Fills the form with the last swap: pair, side and amount. */
function RepeatLast({ onRepeat }: { onRepeat: (() => void) | undefined }) {
  if (!onRepeat) return null
  return (
    <button
      type="button"
      onClick={onRepeat}
      className="inline-flex min-h-11 items-center gap-2 font-semibold text-accent hover:brightness-110"
    >
      <Icon name="refresh-cw" className="size-4" />
      {m.swap_repeat_last()}
    </button>
  )
}

function OrderRow({ order, pairs, onClick }: { order: SwapOrder; pairs: readonly Pair[]; onClick: () => void }) {
  const assets = assetsOf(order, pairs)
  const { text, tone } = orderStatus(order.status)
  const { hidden } = useHiddenAmounts()
  const figure = (amount: string) => (hidden ? HIDDEN_TEXT : formatAmount(amount, { decimals: listDecimals(amount) }))
  return (
    <ListRow
      title={assets ? `${assets.sold} → ${assets.bought}` : order.symbol}
      detail={
        <>
          {formatDateTime(order.created_at)}
          <span className={cx('block', tone === 'warning' && 'text-warn')}>{text}</span>
        </>
      }
      value={`+${figure(order.amount_out)} ${assets?.bought ?? ''}`}
      valueDetail={`−${figure(order.amount_in)} ${assets?.sold ?? ''}`}
      onClick={onClick}
    />
  )
}

/** The assets of an order; `undefined` where its pool is no longer offered. */
function assetsOf(order: Pick<SwapOrder, 'pool_id' | 'inverse'>, pairs: readonly Pair[]) {
  const pair = pairs.find(({ id }) => id === order.pool_id)
  if (!pair) return undefined
  const trade = { pair, inverse: order.inverse === 1 }
  return { sold: soldAsset(trade), bought: boughtAsset(trade) }
}

function Rows({
  orders,
  pairs,
  onOpen,
}: {
  orders: readonly SwapOrder[]
  pairs: readonly Pair[]
  onOpen: (order: SwapOrder) => void
}) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {orders.map((order) => (
        <li key={order.transaction_id}>
          <OrderRow order={order} pairs={pairs} onClick={() => onOpen(order)} />
        </li>
      ))}
    </ul>
  )
}
