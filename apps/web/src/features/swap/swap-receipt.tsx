import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { SheetFoot } from '../../components/sheet.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatAmount, formatPercent } from '../../i18n/format.ts'
import { Icon } from '../../icons/icon.tsx'
import { OrderId } from './order-id.tsx'
import type { PendingSwap } from './pending-swap.ts'
import { useLatestOrder } from './swap.queries.ts'
import { momentText } from './swap-facts.tsx'
import { exactly, exactUnits, executionPrice, roundDecimals } from './swap-figures.ts'
import { orderStatus, type SwapOrder } from './swap-orders.tsx'
import { executionOf } from './swap-terms.ts'

const RESULT_PLACES = 8

/** How a swap ended, as `doSwap` and `getOrderStatus` say it. */
export interface SwapResult {
  readonly transaction_id: string
  readonly status: 'pending' | 'completed' | 'failed'
  readonly amount_in: string
  readonly amount_out: string
  readonly fee: string
}

/** What was swapped at which price, how that compares with the quote, and the ways on. */
export function SwapReceipt({
  swap,
  result,
  onViewOrder,
  onAgain,
  onClose,
}: {
  swap: Omit<PendingSwap, 'key' | 'owner' | 'limit'>
  result: SwapResult
  onViewOrder: (order: SwapOrder) => void
  /** Goes back to the form with the same amounts in it. */
  onAgain: () => void
  onClose: () => void
}) {
  const { sold, bought } = swap
  const order = useLatestOrder(result.transaction_id)
  const status = orderStatus(result.status)
  return (
    <>
      <div role="status" className="flex flex-col items-center gap-1 text-center">
        <span className="flex items-center gap-2">
          <Icon name="circle-check" className="size-8 text-accent" />
          <Badge tone={status.tone}>{status.text}</Badge>
        </span>
        <p className="figures text-figure [overflow-wrap:anywhere]">
          +{formatAmount(result.amount_out, { places: RESULT_PLACES })} {bought}
        </p>
        <p className="text-muted">{executionText(swap, result)}</p>
      </div>
      <FactList
        facts={[
          { label: m.swap_sold(), value: exactly(result.amount_in, sold) },
          { label: m.swap_received(), value: exactly(result.amount_out, bought) },
          { label: m.swap_price(), value: executedPrice(swap, result) },
          { label: m.swap_fee_paid(), value: exactly(result.fee, sold) },
          ...(order ? [{ label: m.swap_time(), value: momentText(order.created_at) }] : []),
          { label: m.swap_order_id(), value: <OrderId id={result.transaction_id} /> },
        ]}
      />
      <SheetFoot>
        <Button onClick={onClose}>{m.swap_done()}</Button>
        <div className="grid grid-cols-2 gap-2">
          <Button look="quiet" onClick={onAgain}>
            {m.swap_again()}
          </Button>
          <Button look="quiet" disabled={!order} onClick={() => order && onViewOrder(order)}>
            {m.swap_view_order()}
          </Button>
        </div>
      </SheetFoot>
    </>
  )
}

/** How the swap came out against its quote, in words. */
function executionText(
  {
    sold,
    bought,
    exact,
    quotedIn,
    quotedOut,
  }: Pick<PendingSwap, 'sold' | 'bought' | 'exact' | 'quotedIn' | 'quotedOut'>,
  { amount_in, amount_out }: Pick<SwapResult, 'amount_in' | 'amount_out'>,
): string {
  const quoted = { amountIn: BigInt(quotedIn), amountOut: BigInt(quotedOut) }
  const done = { amountIn: exactUnits(amount_in, sold), amountOut: exactUnits(amount_out, bought) }
  const { was, fraction } = executionOf(exact, { quoted, done })
  // Never shown better than it was.
  const percent = formatPercent(roundDecimals(fraction, 4, was === 'worse' ? 'up' : 'down'))
  switch (was) {
    case 'better':
      return m.swap_better({ percent })
    case 'worse':
      return m.swap_worse({ percent })
    case 'same':
      return m.swap_as_quoted()
  }
}

function executedPrice(
  { sold, bought, payload }: Pick<PendingSwap, 'sold' | 'bought' | 'payload'>,
  { amount_in, amount_out }: SwapResult,
): string {
  const done = { amountIn: exactUnits(amount_in, sold), amountOut: exactUnits(amount_out, bought) }
  return executionPrice({ sold, bought, inverse: Number(payload.inverse) === 1 }, done)
}
