import { type ReactNode, useState } from 'react'
import { useAccountAddress } from '../../account/use-account.ts'
import { newIdempotencyKey } from '../../api/client.ts'
import { useStore } from '../../browser/store.ts'
import { Button } from '../../components/button.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { Sheet, SheetFoot } from '../../components/sheet.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatTime } from '../../i18n/format.ts'
import { ConfirmButton } from './confirm-button.tsx'
import LostSwapSheet from './lost-swap-sheet.tsx'
import { forgetPendingSwap, type PendingSwap, pendingSwapOf } from './pending-swap.ts'
import { SheetStage } from './sheet-stage.tsx'
import {
  exactFact,
  expectedLabel,
  expectedText,
  impactText,
  limitFact,
  moreFacts,
  sinceQuoteFact,
  termFacts,
} from './swap-facts.tsx'
import { exactly, paid, received, textOf } from './swap-figures.ts'
import { Problem, Waiting, Warning, WayOn } from './swap-notes.tsx'
import type { SwapOrder } from './swap-orders.tsx'
import { SwapReceipt } from './swap-receipt.tsx'
import { isDeadlinePassed, isDefinite, refusalText } from './swap-refusal.ts'
import { deadlineAfter, deadlineMinutesOf, slippageRisk, swapSettingsStore } from './swap-settings.ts'
import {
  type Amounts,
  impactLevel,
  isPastLimit,
  movedAmounts,
  type SwapTerms,
  swapPayload,
  type Trade,
  termsAt,
} from './swap-terms.ts'
import { useSwapCall } from './use-swap-call.ts'

/** What one confirmation says. It never changes by itself: new figures are a new confirmation. */
interface Confirmation {
  readonly terms: SwapTerms
  /** ISO 8601: after it the swap does not happen. */
  readonly deadline: string
}

interface SwapConfirmSheetProps {
  readonly trade: Trade
  readonly terms: SwapTerms
  /** When the quote of these terms expires, in the server's time. */
  readonly expiresAt: string
  /** What the same swap would come to now, as the server last said. */
  readonly live: (Amounts & { readonly expiresAt: string }) | undefined
  /** It is done, and whoever swapped is done with it. */
  readonly onSwapped: () => void
  readonly onViewOrder: (order: SwapOrder) => void
  readonly onClose: () => void
}

/** Says in words what will be swapped, swaps it, and shows how it ended. */
export default function SwapConfirmSheet(props: SwapConfirmSheetProps) {
  const { trade, terms: first, expiresAt, live, onSwapped, onViewOrder, onClose } = props
  const owner = useAccountAddress()
  const { deadlineMinutes } = useStore(swapSettingsStore)
  const deadlineFrom = (time: string) => deadlineAfter(time, deadlineMinutesOf(deadlineMinutes) ?? 1)
  const [{ terms, deadline }, setConfirmation] = useState<Confirmation>({
    terms: first,
    deadline: deadlineFrom(expiresAt),
  })
  const [isAskedTwice, setAskedTwice] = useState(false)
  const [isOffline, setOffline] = useState(false)
  const [sent, setSent] = useState<PendingSwap>()
  const swap = useSwapCall()
  const refusal = isDefinite(swap.error) ? swap.error : undefined
  const movedTo = movedNow()

  /** Where the price stands now, if it is past what was agreed to. */
  function movedNow(): Amounts | undefined {
    if (swap.isIdle) return live && isPastLimit(terms, live) ? live : undefined
    return refusal?.codeName === 'price_moved' ? movedAmounts(terms, refusal.data) : undefined
  }

  function confirm(next: Confirmation, { impactAccepted }: { impactAccepted: boolean }): void {
    setConfirmation(next)
    setOffline(!navigator.onLine)
    const asks = !impactAccepted && impactLevel(next.terms.priceImpactE18) === 'confirmed_twice'
    setAskedTwice(asks || (isAskedTwice && !navigator.onLine))
    if (asks || !navigator.onLine) {
      swap.reset()
      return
    }
    const payload = swapPayload(trade, next.terms, next.deadline)
    const pending = pendingSwapOf(next.terms, { key: newIdempotencyKey(), owner, payload })
    setSent(pending)
    swap.send(pending, () => forgetPendingSwap(pending.key))
  }

  if (swap.isSuccess && sent)
    return (
      <Sheet title={m.swap_result_title()} onClose={finish}>
        <SheetStage name="done">
          <SwapReceipt swap={sent} result={swap.data} onViewOrder={viewOrder} onAgain={onClose} onClose={finish} />
        </SheetStage>
      </Sheet>
    )
  // Then nothing new is offered: only the very same command, with the same key, is safe to send again.
  if (swap.isError && !refusal && sent)
    return <LostSwapSheet pending={sent} onSwapped={onSwapped} onViewOrder={onViewOrder} onClose={onClose} />

  const stage = stageNow()
  return (
    <Sheet title={stage.title} text={stage.text} onClose={onClose} locked={swap.isPending && swap.failureCount === 0}>
      <SheetStage name={stage.name}>
        {stage.content}
        <SheetFoot>
          {swap.isPending && swap.failureCount > 0 && <Waiting text={m.swap_trying_again()} />}
          {isOffline && <Problem text={m.swap_offline()} />}
          {stage.confirm && (
            <ConfirmButton
              confirms={`${stage.name} ${movedTo ? `${movedTo.amountIn} ${movedTo.amountOut}` : ''}`}
              label={stage.confirm.label}
              danger={stage.danger ?? false}
              busy={swap.isPending}
              onPress={stage.confirm.press}
            />
          )}
          {!(swap.isPending && swap.failureCount === 0) && (
            <Button look="quiet" onClick={onClose}>
              {swap.isPending || !stage.confirm ? m.app_close() : m.app_cancel()}
            </Button>
          )}
        </SheetFoot>
      </SheetStage>
    </Sheet>
  )

  function stageNow(): Stage {
    if (movedTo) return movedStage(movedTo)
    if (refusal)
      return {
        name: 'refused',
        title: m.swap_not_done(),
        content: (
          <>
            <Problem text={refusalText(refusal, trade.pair)} detail={m.ui_no_money_moved()} />
            <WayOn refusal={refusal} />
          </>
        ),
      }
    return isAskedTwice ? impactStage() : reviewStage()
  }

  function reviewStage(): Stage {
    const { sold, bought, exact, amount, limit, fee } = terms
    const isRisky = impactLevel(terms.priceImpactE18) !== 'low'
    const words =
      exact === 'in'
        ? m.swap_confirm_text({
            sell: exactly(textOf(amount, sold), sold),
            minimum: received(limit, bought),
            fee: paid(fee, sold),
          })
        : m.swap_confirm_text_out({
            buy: exactly(textOf(amount, bought), bought),
            maximum: paid(limit, sold),
            fee: paid(fee, sold),
          })
    return {
      name: 'review',
      title: m.swap_confirm_title(),
      text: <span className="text-text">{words}</span>,
      content: (
        <>
          {isRisky && <Warning text={m.swap_impact_warning({ percent: impactText(terms) })} />}
          {slippageRisk(terms.slippageBps) === 'loose' && <Warning text={m.swap_slippage_loose()} />}
          <FactList
            facts={[
              { label: expectedLabel(exact), value: expectedText(terms, terms) },
              ...termFacts(terms, trade),
              ...moreFacts(terms, trade),
              { label: m.swap_valid_until(), value: formatTime(deadline) },
            ]}
          />
        </>
      ),
      confirm: { label: m.swap_action(), press: () => confirm({ terms, deadline }, { impactAccepted: false }) },
    }
  }

  function impactStage(): Stage {
    const facts = [exactFact(terms), limitFact(terms), ...moreFacts(terms, trade).slice(0, 2)]
    return {
      name: 'impact',
      title: m.swap_impact_high(),
      text: m.swap_impact_high_text({ percent: impactText(terms) }),
      content: (
        <>
          <Warning text={m.swap_impact_high_warning()} />
          <FactList facts={facts} />
        </>
      ),
      confirm: { label: m.swap_anyway(), press: () => confirm({ terms, deadline }, { impactAccepted: true }) },
      danger: true,
    }
  }

  function movedStage(now: Amounts): Stage {
    const next = { terms: termsAt(trade, terms, now), deadline: deadlineFrom(live?.expiresAt ?? expiresAt) }
    const isLate = isDeadlinePassed(refusal)
    return {
      name: 'moved',
      title: isLate ? m.swap_too_late() : m.swap_price_moved(),
      text: isLate ? m.swap_too_late_text() : m.swap_price_moved_text(),
      content: (
        <>
          <FactList
            facts={[
              exactFact(next.terms),
              { label: m.swap_before(), value: <s className="text-muted">{expectedText(terms, terms)}</s> },
              { label: m.swap_now(), value: <strong>{expectedText(next.terms, next.terms)}</strong> },
              ...moreFacts(next.terms, trade).slice(0, 1),
              limitFact(next.terms),
              sinceQuoteFact(terms, next.terms),
            ]}
          />
          {isLate && <p className="text-muted">{m.swap_new_deadline({ time: formatTime(next.deadline) })}</p>}
        </>
      ),
      confirm: { label: m.swap_accept_new(), press: () => confirm(next, { impactAccepted: false }) },
    }
  }

  function finish(): void {
    onSwapped()
    onClose()
  }

  function viewOrder(order: SwapOrder): void {
    finish()
    onViewOrder(order)
  }
}

/** What the sheet shows now. */
interface Stage {
  readonly name: string
  readonly title: string
  readonly text?: ReactNode
  readonly content: ReactNode
  readonly confirm?: { readonly label: string; readonly press: () => void }
  readonly danger?: boolean
}
