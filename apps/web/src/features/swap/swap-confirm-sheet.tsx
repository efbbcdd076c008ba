import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useMoneyCall } from '../../api/use-money-call.ts'
import { m } from '../../generated/paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ConfirmSheet } from '../../ui/confirm-sheet.tsx'
import { errorText } from '../../ui/error-text.ts'
import { FactList } from '../../ui/fact-list.tsx'
import { formatAmount, formatTime } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { useStore } from '../../ui/store.ts'
import { useShown } from '../../ui/use-shown.ts'
import { refreshMarket } from './swap.queries.ts'
import { figure, impactText, paid, termFacts } from './swap-details.tsx'
import { OrderId } from './swap-order-sheet.tsx'
import { orderStatus } from './swap-orders.tsx'
import { deadlineAfter, deadlineMinutesOf, swapSettingsStore } from './swap-settings.ts'
import { impactLevel, type SwapTerms, type Trade, termsAt, textOf } from './swap-terms.ts'

const RESULT_PLACES = 8
const ALL_PLACES = 18

/** What one confirmation says. It never changes by itself: new figures are a new confirmation. */
interface Confirmation {
  readonly terms: SwapTerms
  /** ISO 8601: after it the swap does not happen. */
  readonly deadline: string
}

interface LiveQuote {
  readonly amountOut: bigint
  readonly expiresAt: string
}

interface SwapConfirmSheetProps {
  readonly trade: Trade
  readonly terms: SwapTerms
  /** When the quote of these terms expires, in the server's time. */
  readonly expiresAt: string
  /** What the same amount would give now, as the server last said. */
  readonly live: LiveQuote | undefined
  readonly onSwapped: () => void
  readonly onClose: () => void
}

/** Says in words what will be swapped, swaps it, and shows how it ended. */
export default function SwapConfirmSheet({
  trade,
  terms: first,
  expiresAt,
  live,
  onSwapped,
  onClose,
}: SwapConfirmSheetProps) {
  const { deadlineMinutes } = useStore(swapSettingsStore)
  const deadlineFrom = (time: string) => deadlineAfter(time, deadlineMinutesOf(deadlineMinutes) ?? 1)
  const [{ terms, deadline }, setConfirmation] = useState<Confirmation>({
    terms: first,
    deadline: deadlineFrom(expiresAt),
  })
  const [isConfirmingImpact, setConfirmingImpact] = useState(false)
  const [isOffline, setOffline] = useState(false)
  const swap = useMoneyCall('doSwap', { silent: true })

  const refusal = swap.error instanceof ApiError ? swap.error : undefined
  // Then nothing new is offered: only the very same command, with the same key, is safe to send again.
  const isUnknown = swap.isError && (!refusal || refusal.isTransient)
  const movedTo = swap.isError ? movedAmount(refusal, terms) : fallenTo(live, terms)

  function confirm(next: Confirmation, { impactAccepted }: { impactAccepted: boolean }): void {
    const isOnline = navigator.onLine
    const asksAgain = !isUnknown && !impactAccepted && impactLevel(next.terms.priceImpactE18) === 'confirmed_twice'
    setConfirmation(next)
    setConfirmingImpact(asksAgain)
    setOffline(!isOnline && !isUnknown)
    if (asksAgain || !isOnline) {
      if (!isUnknown) swap.reset()
      return
    }
    const { amountIn, minOut, sold, bought } = next.terms
    swap.mutate(
      {
        pool_id: trade.pair.id,
        amount: textOf(amountIn, sold),
        inverse: trade.inverse ? 1 : 0,
        min_amount_out: textOf(minOut, bought),
        deadline: next.deadline,
      },
      { onSuccess: onSwapped, onSettled: refreshMarket },
    )
  }

  if (swap.isSuccess) return <SwapResult result={swap.data} terms={terms} onClose={onClose} />
  if (movedTo !== undefined && !swap.isPending) {
    const moved = termsAt(terms, movedTo)
    const next = { terms: moved, deadline: deadlineFrom(live?.expiresAt ?? expiresAt) }
    const isLate = isDeadlinePassed(refusal)
    return (
      <ConfirmSheet
        title={isLate ? m.swap_too_late() : m.swap_price_moved()}
        text={isLate ? m.swap_too_late_text() : m.swap_price_moved_text({ amount: figure(terms.minOut, terms.bought) })}
        facts={[
          { label: m.swap_sell(), value: exactly(moved) },
          {
            label: m.swap_before(),
            value: <s>{figure(terms.amountOut, terms.bought)}</s>,
          },
          { label: m.swap_now(), value: figure(moved.amountOut, moved.bought) },
          { label: m.swap_minimum(), value: figure(moved.minOut, moved.bought) },
        ]}
        confirmLabel={m.swap_accept_new()}
        busy={false}
        onConfirm={() => confirm(next, { impactAccepted: false })}
        onClose={onClose}
      />
    )
  }
  const help = swap.isPending ? null : wayOn(refusal)
  if (help && refusal)
    return (
      <Sheet title={m.swap_not_done()} onClose={onClose}>
        <Problem text={errorText(refusal)} detail={m.ui_no_money_moved()} />
        {help}
        <Button look="quiet" onClick={onClose}>
          {m.app_close()}
        </Button>
      </Sheet>
    )
  if (isConfirmingImpact)
    return (
      <ConfirmSheet
        title={m.swap_impact_high()}
        text={m.swap_impact_high_text({ percent: impactText(terms) })}
        facts={[
          { label: m.swap_sell(), value: exactly(terms) },
          { label: m.swap_minimum(), value: figure(terms.minOut, terms.bought) },
          { label: m.swap_at_mid(), value: figure(terms.amountOutAtMid, terms.bought) },
        ]}
        warning={m.swap_impact_high_warning()}
        confirmLabel={m.swap_anyway()}
        danger
        busy={swap.isPending}
        onConfirm={() => confirm({ terms, deadline }, { impactAccepted: true })}
        onClose={onClose}
      >
        {problem()}
      </ConfirmSheet>
    )
  return (
    <ConfirmSheet
      title={m.swap_confirm_title()}
      text={
        <span className="text-text">
          {m.swap_confirm_text({
            sell: exactly(terms),
            minimum: figure(terms.minOut, terms.bought),
            fee: `${paid(terms.fee, terms)} ${terms.sold}`,
          })}
        </span>
      }
      facts={[
        { label: m.swap_expected(), value: figure(terms.amountOut, terms.bought) },
        ...termFacts(terms, trade),
        { label: m.swap_valid_until(), value: formatTime(deadline) },
      ]}
      warning={
        impactLevel(terms.priceImpactE18) === 'low' ? undefined : m.swap_impact_warning({ percent: impactText(terms) })
      }
      confirmLabel={swap.isError ? m.app_retry() : m.swap_action()}
      busy={swap.isPending}
      onConfirm={() => confirm({ terms, deadline }, { impactAccepted: false })}
      onClose={onClose}
    >
      {problem()}
    </ConfirmSheet>
  )

  function problem(): ReactNode {
    if (isOffline) return <Problem text={m.swap_offline()} />
    if (!swap.isError || swap.isPending) return null
    return <Problem text={errorText(swap.error)} detail={isUnknown ? m.swap_unknown() : m.ui_no_money_moved()} />
  }
}

/** The figure that the server would swap at now, where it refused because the price had moved. */
function movedAmount(refusal: ApiError | undefined, { bought }: SwapTerms): bigint | undefined {
  if (refusal?.codeName !== 'price_moved') return undefined
  const amount = (refusal.data as { amount_out?: unknown } | null)?.amount_out
  return typeof amount === 'string' ? parseUnits(amount, ASSET_DECIMALS[bought]) : undefined
}

/** What it has fallen to while the sheet stood open; `undefined` while what was agreed to can still be had. */
function fallenTo(live: LiveQuote | undefined, { minOut }: SwapTerms): bigint | undefined {
  return live && live.amountOut < minOut ? live.amountOut : undefined
}

function isDeadlinePassed(refusal: ApiError | undefined): boolean {
  return (refusal?.data as { reason?: unknown } | null | undefined)?.reason === 'deadline_passed'
}

/** What helps against a refusal. */
function wayOn(refusal: ApiError | undefined): ReactNode {
  switch (refusal?.codeName) {
    case 'not_activated':
      return (
        <Link to="/{-$locale}/swap/activate" className={buttonClass()}>
          {m.nav_activate_now()}
        </Link>
      )
    case 'balance_not_enough':
      return (
        <Link to="/{-$locale}/wallet/buy" className={buttonClass()}>
          {m.swap_transfer_in()}
        </Link>
      )
    default:
      return null
  }
}

function Problem({ text, detail }: { text: string; detail?: string }) {
  const shown = useShown<HTMLParagraphElement>()
  return (
    <p ref={shown} role="alert" className="flex gap-2 rounded-control border border-down/50 p-3">
      <Icon name="circle-alert" className="text-down" />
      <span>
        {text}
        {detail && <span className="block text-muted">{detail}</span>}
      </span>
    </p>
  )
}

function SwapResult({
  result,
  terms,
  onClose,
}: {
  result: {
    transaction_id: string
    status: 'pending' | 'completed' | 'failed'
    amount_in: string
    amount_out: string
    fee: string
  }
  terms: SwapTerms
  onClose: () => void
}) {
  const status = orderStatus(result.status)
  return (
    <Sheet title={m.swap_result_title()} onClose={onClose}>
      <div role="status" className="flex flex-col items-center gap-2 py-2 text-center">
        <Icon
          name={result.status === 'failed' ? 'circle-alert' : 'circle-check'}
          className={result.status === 'failed' ? 'size-12 text-down' : 'size-12 text-accent'}
        />
        <Badge tone={status.tone}>{status.text}</Badge>
        <p className="figures text-figure [overflow-wrap:anywhere]">
          +{formatAmount(result.amount_out, { places: RESULT_PLACES })} {terms.bought}
        </p>
      </div>
      <FactList
        facts={[
          { label: m.swap_sold(), value: `${formatAmount(result.amount_in, { places: ALL_PLACES })} ${terms.sold}` },
          {
            label: m.swap_received(),
            value: `${formatAmount(result.amount_out, { places: ALL_PLACES })} ${terms.bought}`,
          },
          { label: m.swap_fee_paid(), value: `${formatAmount(result.fee, { places: ALL_PLACES })} ${terms.sold}` },
          { label: m.swap_order_id(), value: <OrderId id={result.transaction_id} /> },
        ]}
      />
      <Button onClick={onClose}>{m.swap_done()}</Button>
    </Sheet>
  )
}

/** What is sold, to the last unit. */
function exactly({ amountIn, sold }: SwapTerms): string {
  return `${formatAmount(textOf(amountIn, sold), { places: ALL_PLACES })} ${sold}`
}
