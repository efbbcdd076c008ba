import { cx } from '@clearwell/ui/browser/cx.ts'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { explicitRead } from '@clearwell/ui/components/explicit-read.ts'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { ListRow } from '@clearwell/ui/components/list-row.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { Loading, RowsSkeleton } from '@clearwell/ui/components/skeleton-shapes.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime, formatTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { type ReactNode, useState } from 'react'
import { useAccountAddress } from '../../account/use-account.ts'
import { m } from '../../generated/messages.ts'
import { type PendingSwap, usePendingSwaps } from './pending-swaps.ts'
import { type SwapOrder, useIsSwapping, useOrders } from './swap.queries.ts'
import { firstDraft, type SwapDraft } from './swap-draft.ts'
import { orderStatus, pairName } from './swap-facts.tsx'
import { useSwapStatus } from './swap-status.ts'
import { boughtAsset, type Pair, soldAsset } from './swap-terms.ts'

/** The user's swaps on the screen: notes for the pending ones, and the list of orders. */

export const PendingSwapSheet = lazySheet(() => import('./pending-swap-sheet.tsx'))
export const SwapOrderSheet = lazySheet(() => import('./swap-order-sheet.tsx'))

/** Decimals of an amount in a row; the order itself shows all. */
const ROW_DECIMALS = 5

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
  /** Fills the form with the pair, side and amount of an order. */
  onRepeat: (pair: Pair, draft: SwapDraft) => void
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
  function repeatOf({ pool_id, inverse, amount_in }: SwapOrder): (() => void) | undefined {
    const on = pairs.find(({ id }) => id === pool_id)
    if (!on) return undefined
    return () => {
      onOpen(undefined)
      onRepeat(on, firstDraft(on, { inverse: inverse === 1, amount: amount_in }))
      window.scrollTo(0, 0)
    }
  }

  function list(): ReactNode {
    if (!orders.data)
      return orders.isError ? (
        <ErrorState error={orders.error} onRetry={orders.refetch} />
      ) : (
        <Loading>
          <RowsSkeleton count={3} />
        </Loading>
      )
    if (orders.data.length === 0)
      return <EmptyState icon="history" title={m.swap_orders_empty()} text={m.swap_orders_empty_text()} />
    return (
      <>
        <ul className="flex flex-col divide-y divide-line">
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
          <span className={cx('block', tone === 'warning' && 'text-warn')}>{text}</span>
        </>
      }
      value={`+${formatAmount(order.amount_out, { decimals: ROW_DECIMALS })} ${assets?.bought ?? ''}`}
      valueDetail={`−${formatAmount(order.amount_in, { decimals: ROW_DECIMALS })} ${assets?.sold ?? ''}`}
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

interface PendingSwapNotesProps {
  readonly onSwapped: () => void
  readonly onViewOrder: (order: SwapOrder) => void
}

/** The swaps whose response was lost, now or on an earlier visit, each with its outcome so far. */
export function PendingSwapNotes(props: PendingSwapNotesProps) {
  return usePendingSwaps(useAccountAddress()).map((pending) => (
    <PendingSwapNote key={pending.key} pending={pending} {...props} />
  ))
}

function PendingSwapNote({ pending, ...callbacks }: { pending: PendingSwap } & PendingSwapNotesProps) {
  const [isOpen, setOpen] = useState(false)
  const isSwapping = useIsSwapping()
  const status = useSwapStatus(pending)
  return (
    <section
      aria-label={m.swap_lost_title()}
      className="flex items-center gap-3 rounded-card border border-warn/50 py-2 ps-3 pe-2"
    >
      <Icon name="triangle-alert" className="text-warn" />
      <p role="status" className="min-w-0 flex-1">
        <strong className="block">{`${pending.sold} → ${pending.bought}`}</strong>
        <span>{isSwapping ? m.swap_lost_waiting() : noteText()}</span>
      </p>
      <Button look="quiet" size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {m.swap_lost_open()}
      </Button>
      {isOpen && <PendingSwapSheet pending={pending} {...callbacks} onClose={() => setOpen(false)} />}
    </section>
  )

  function noteText(): string {
    switch (status.outcome) {
      case 'checking':
        return status.isError ? m.swap_lost_unknown() : m.swap_lost_checking()
      case 'completed':
        return m.swap_lost_completed()
      case 'failed':
        return m.swap_lost_nothing()
      case 'not_yet':
        return m.swap_lost_not_yet({ time: formatTime(String(pending.payload.deadline)) })
      case 'never':
        return m.swap_lost_late()
    }
  }
}
