import type { AssetId } from '@clearwell/money/asset'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Button, buttonClass } from '@clearwell/ui/components/button.tsx'
import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { RollingNumber } from '@clearwell/ui/components/rolling-number.tsx'
import { Sheet, SheetFoot } from '@clearwell/ui/components/sheet.tsx'
import { Success } from '@clearwell/ui/components/success.tsx'
import { formatPercent, shortHex } from '@clearwell/ui/i18n/format.ts'
import { formatDate, formatTime } from '@clearwell/ui/i18n/format-date.ts'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../api/use-call.ts'
import { ExactAmount } from '../../components/exact-amount.tsx'
import { InstallOffer } from '../../components/install-offer.tsx'
import { m } from '../../generated/messages.ts'
import { type SwapOrder, type SwapResult, useLatestOrder } from './swap.queries.ts'
import { orderStatus } from './swap-facts.tsx'
import { exactUnits, executionPrice, paid, received, roundDecimals } from './swap-figures.ts'
import { refusalNameText } from './swap-refusal.ts'
import { type ConfirmedSwap, executionOf } from './swap-terms.ts'

/** An executed swap in full: as the receipt right after it, and as an order of the list. */

const PENDING_POLL_MS = 2_000
/** Characters of an amount that fit in one line of the narrowest phone in the largest type. */
const LONG_AMOUNT = 13

/** One order in full; a pending one is polled. */
export default function SwapOrderSheet({
  order,
  assets,
  onRepeat,
  onClose,
}: {
  order: SwapOrder
  assets: { sold: AssetId; bought: AssetId } | undefined
  /** Fills the form with the same swap; absent where its pool is no longer offered. */
  onRepeat: (() => void) | undefined
  onClose: () => void
}) {
  const { sold = '', bought = '' } = assets ?? {}
  const latest = useCall(
    'getOrderStatus',
    { transaction_id: order.transaction_id },
    { enabled: order.status === 'pending', refetchInterval: PENDING_POLL_MS },
  ).data
  const { amount_in, amount_out, fee } = latest ?? order
  const status = orderStatus(latest?.status ?? order.status)
  const [base, quote] = order.inverse === 1 ? [bought, sold] : [sold, bought]
  return (
    <Sheet title={assets ? `${sold} → ${bought}` : order.symbol} onClose={onClose}>
      <FactList
        facts={[
          { label: m.swap_status(), value: <Badge tone={status.tone}>{status.text}</Badge> },
          ...(latest?.reason ? [{ label: m.swap_reason(), value: refusalNameText(latest.reason) }] : []),
          { label: m.swap_sold(), value: <Executed amount={amount_in} asset={sold} rounding={paid} /> },
          { label: m.swap_received(), value: <Executed amount={amount_out} asset={bought} rounding={received} /> },
          { label: m.swap_price(), value: m.swap_price_of({ price: formatPrice(order.price), base, quote }) },
          { label: m.swap_fee_paid(), value: <Executed amount={fee} asset={sold} rounding={paid} /> },
          { label: m.swap_time(), value: timeToTheSecond(order.created_at) },
          { label: m.swap_order_id(), value: <OrderId id={order.transaction_id} /> },
        ]}
      />
      {onRepeat && (
        <Button look="quiet" icon="refresh-cw" onClick={onRepeat}>
          {m.swap_repeat()}
        </Button>
      )}
    </Sheet>
  )
}

/** An executed amount, short, and exact on a press. */
function Executed({
  amount,
  asset,
  rounding,
}: {
  amount: string
  asset: AssetId | ''
  rounding: typeof paid | typeof received
}) {
  if (asset === '') return amount
  return <ExactAmount amount={amount} asset={asset} text={rounding(exactUnits(amount, asset), asset)} />
}

/** The amounts and price of a finished swap, a comparison with its quote, and what to do next. */
export function SwapReceipt({
  swap,
  result,
  onViewOrder,
  onAgain,
  onClose,
}: {
  swap: ConfirmedSwap
  result: SwapResult
  /** Absent apart from the screen of swaps. */
  onViewOrder?: (order: SwapOrder) => void
  /** Returns to the form with the same amounts in it. Absent apart from the screen of swaps. */
  onAgain?: () => void
  onClose: () => void
}) {
  const { sold, bought } = swap
  const order = useLatestOrder(result.transaction_id)
  const status = orderStatus(result.status)
  return (
    <>
      <div role="status">
        <Success
          title={<Arrived text={received(exactUnits(result.amount_out, bought), bought)} />}
          text={
            <>
              <Badge tone={status.tone}>{status.text}</Badge> <span>{executionText(swap, result)}</span>
            </>
          }
        />
      </div>
      <FactList
        facts={[
          { label: m.swap_sold(), value: <Executed amount={result.amount_in} asset={sold} rounding={paid} /> },
          {
            label: m.swap_received(),
            value: <Executed amount={result.amount_out} asset={bought} rounding={received} />,
          },
          { label: m.swap_price(), value: executedPrice(swap, result) },
          { label: m.swap_fee_paid(), value: <Executed amount={result.fee} asset={sold} rounding={paid} /> },
          ...(order ? [{ label: m.swap_time(), value: timeToTheSecond(order.created_at) }] : []),
          { label: m.swap_order_id(), value: <OrderId id={result.transaction_id} /> },
        ]}
      />
      <InstallOffer />
      <SheetFoot>
        <Button onClick={onClose}>{m.swap_done()}</Button>
        {onAgain && onViewOrder ? (
          <div className="grid grid-cols-2 gap-2">
            <Button look="quiet" onClick={onAgain}>
              {m.swap_again()}
            </Button>
            <Button look="quiet" disabled={!order} onClick={() => order && onViewOrder(order)}>
              {m.swap_view_order()}
            </Button>
          </div>
        ) : (
          <Link to="/{-$locale}/swap/exchange" onClick={onClose} className={buttonClass('quiet')}>
            {m.swap_orders()}
          </Link>
        )}
      </SheetFoot>
    </>
  )
}

/** The received amount, which rolls in. @param text the amount with its asset, such as `1.5 BNB`. */
function Arrived({ text }: { text: string }) {
  const [amount, asset] = text.split(/ (?=\S+$)/)
  return (
    <span className={text.length > LONG_AMOUNT ? 'text-amount' : 'text-total'}>
      <RollingNumber text={`+${amount}`} rollsIn /> <span className="text-section text-muted">{asset}</span>
    </span>
  )
}

/** The result compared with the quote, in words. */
function executionText(
  {
    sold,
    bought,
    exact,
    quotedIn,
    quotedOut,
  }: Pick<ConfirmedSwap, 'sold' | 'bought' | 'exact' | 'quotedIn' | 'quotedOut'>,
  { amount_in, amount_out }: Pick<SwapResult, 'amount_in' | 'amount_out'>,
): string {
  const quoted = { amountIn: BigInt(quotedIn), amountOut: BigInt(quotedOut) }
  const done = { amountIn: exactUnits(amount_in, sold), amountOut: exactUnits(amount_out, bought) }
  const { was, fraction } = executionOf(exact, { quoted, done })
  // Rounded against the user, so that the result never looks better than it was.
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
  { sold, bought, payload }: Pick<ConfirmedSwap, 'sold' | 'bought' | 'payload'>,
  { amount_in, amount_out }: SwapResult,
): string {
  const done = { amountIn: exactUnits(amount_in, sold), amountOut: exactUnits(amount_out, bought) }
  return executionPrice({ sold, bought, inverse: Number(payload.inverse) === 1 }, done)
}

/** Swaps follow each other within a minute, so their time includes the seconds. */
function timeToTheSecond(iso: string): string {
  return `${formatDate(iso)} ${formatTime(iso)}`
}

/** A shortened order number with a button that copies it in full. */
function OrderId({ id }: { id: string }) {
  return (
    <span className="-my-3 inline-flex items-center">
      {shortHex(id)}
      <CopyButton text={id} label={m.swap_copy_order_id()} />
    </span>
  )
}
