import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Button, buttonClass } from '@clearwell/ui/components/button.tsx'
import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { FactGrid } from '@clearwell/ui/components/fact-grid.tsx'
import { formatAgo, INTEREST_DECIMALS, shortHex } from '@clearwell/ui/i18n/format.ts'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TokenMark } from '../../components/token-mark.tsx'
import { m } from '../../generated/messages.ts'
import type { LiquidationOrder } from './liquidation.queries.ts'

const LOOK = 'flex flex-col gap-3 rounded-card border border-transparent bg-surface p-4 light:border-line'

/** One order of the market: what it holds, what it owes, and what a liquidator would gain. */
export function OrderCard({
  order,
  nowMs,
  isOwn,
  onLiquidate,
}: {
  order: LiquidationOrder
  /** The server's time, if it is known. */
  nowMs: number | undefined
  isOwn: boolean
  onLiquidate: () => void
}) {
  const { collateral_asset: collateral, lending_asset: lending, order_id: id, user_address: address } = order
  return (
    <article aria-label={`${m.liquidation_order_id()} ${shortHex(id)}`} className={LOOK}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <TokenMark asset={collateral} />
        <Figure label={m.liquidation_collateral()} className="flex-1">
          <AmountText isPublic amount={order.collateral_amount} asset={collateral} className="font-semibold" />
          {order.receives !== null && (
            <span className="text-label text-muted">
              {m.liquidation_you_take()} <AmountText isPublic amount={order.receives} asset={collateral} />
            </span>
          )}
        </Figure>
        <Figure label={m.liquidation_estimated_profit()} className="items-end text-end">
          {order.estimated_profit === null ? (
            <Badge tone="warning">{m.liquidation_stale()}</Badge>
          ) : (
            <AmountText isPublic amount={order.estimated_profit} asset={lending} signed className="font-semibold" />
          )}
        </Figure>
      </div>
      <FactGrid
        facts={[
          {
            label: m.liquidation_lending_assets(),
            value: <AmountText isPublic amount={order.lending_amount} asset={lending} />,
          },
          {
            label: m.liquidation_interest(),
            value: <AmountText isPublic amount={order.interest} asset={lending} decimals={INTEREST_DECIMALS} raises />,
          },
          {
            label: m.liquidation_total_debt(),
            value: <AmountText isPublic amount={order.total_debt} asset={lending} raises />,
          },
          { label: m.liquidation_price(), value: <PriceWithAge order={order} nowMs={nowMs} /> },
          { label: m.liquidation_order_id(), value: <Copied text={id} label={m.liquidation_copy_order_id()} /> },
          {
            label: m.liquidation_user_address(),
            value: <Copied text={address} label={m.liquidation_copy_address()} />,
          },
        ]}
      />
      <Note order={order} />
      <Foot order={order} isOwn={isOwn} onLiquidate={onLiquidate} />
    </article>
  )
}

/** The price of the collateral in the lent asset, and how old it is. */
export function PriceWithAge({ order, nowMs }: { order: LiquidationOrder; nowMs: number | undefined }) {
  if (order.price === null) return <span className="text-warn">{m.liquidation_stale()}</span>
  const seconds = order.price_time === null || nowMs === undefined ? 0 : (nowMs - Date.parse(order.price_time)) / 1_000
  return (
    <>
      <span className="whitespace-nowrap" title={`${order.price} ${order.lending_asset}`}>
        {formatPrice(order.price)} <span className="text-muted">{order.lending_asset}</span>
      </span>{' '}
      <span className="text-label whitespace-nowrap text-muted">
        {seconds < 2 ? m.liquidation_price_now() : formatAgo(seconds)}
      </span>
    </>
  )
}

/** Why the order is here, and what is special about it. */
function Note({ order }: { order: LiquidationOrder }) {
  const { reason, total_debt: debt, min_amount: min, max_amount: max, pays } = order
  const notes = [
    ...(reason === 'overdue' ? [m.liquidation_overdue_text()] : []),
    ...(min !== null && min === debt ? [m.liquidation_whole_only()] : []),
    ...(pays !== null && pays !== max ? [m.liquidation_short_text()] : []),
  ]
  return notes.length > 0 && <p className="text-secondary text-muted">{sentences(...notes)}</p>
}

function Foot({ order, isOwn, onLiquidate }: { order: LiquidationOrder; isOwn: boolean; onLiquidate: () => void }) {
  if (isOwn) return <OwnOrder isOverdue={order.reason === 'overdue'} />
  if (order.estimated_profit === null) return <p className="text-secondary text-muted">{m.liquidation_stale_text()}</p>
  return (
    <Button look="quiet" size="small" aria-haspopup="dialog" onClick={onLiquidate}>
      {m.liquidation_action()}
      <span className="sr-only"> {shortHex(order.order_id)}</span>
    </Button>
  )
}

/** Collateral helps an order over its limit. Only repayment helps one whose time has passed. */
function OwnOrder({ isOverdue }: { isOverdue: boolean }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-secondary text-warn">{isOverdue ? m.liquidation_own_overdue() : m.liquidation_own_text()}</p>
      <Link to="/{-$locale}/stake/lend/orders" className={buttonClass('quiet', 'small')}>
        {isOverdue ? m.stake_repay() : m.liquidation_own_action()}
      </Link>
    </div>
  )
}

function Figure({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  return (
    <div className={`figures flex min-w-0 flex-col ${className}`}>
      <span className="text-label text-muted">{label}</span>
      {children}
    </div>
  )
}

/** A shortened id or address that can be copied whole. */
export function Copied({ text, label }: { text: string; label: string }) {
  return (
    <span className="-my-3 inline-flex items-center" title={text}>
      <span className="font-mono text-label">{shortHex(text)}</span>
      <CopyButton text={text} label={label} />
    </span>
  )
}
