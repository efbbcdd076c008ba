import { type ReactNode, useEffect } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import { refreshPersonalData } from '../../api/query-client.ts'
import { Button } from '../../components/button.tsx'
import { explicitRead } from '../../components/explicit-read.ts'
import { FactList } from '../../components/fact-list.tsx'
import { Sheet, SheetFoot } from '../../components/sheet.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { errorText } from '../../i18n/error-text.ts'
import { formatTime } from '../../i18n/format.ts'
import { ConfirmButton } from './confirm-button.tsx'
import { forgetPendingSwap, type PendingSwap } from './pending-swap.ts'
import { SheetStage } from './sheet-stage.tsx'
import { forgetSwapStatus, refreshMarket, useSwapStatus } from './swap.queries.ts'
import { limitFact } from './swap-facts.tsx'
import { exactly } from './swap-figures.ts'
import { Problem, Waiting, Warning } from './swap-notes.tsx'
import type { SwapOrder } from './swap-orders.tsx'
import { SwapReceipt } from './swap-receipt.tsx'
import { isDefinite, refusalNameText, refusalText } from './swap-refusal.ts'
import { useIsSwapping, useSwapCall } from './use-swap-call.ts'

interface LostSwapSheetProps {
  readonly pending: PendingSwap
  readonly onSwapped: () => void
  readonly onViewOrder: (order: SwapOrder) => void
  readonly onClose: () => void
}

/**
 * A swap whose answer was lost: asks what became of it, and says so. One that is not there so far can be sent again under
 * the key that it had; its note can be dropped, which cancels nothing. It stays known on this device until its end was seen.
 */
export default function LostSwapSheet({ pending, onSwapped, onViewOrder, onClose }: LostSwapSheetProps) {
  const { signedIn } = useAccount()
  const status = useSwapStatus(pending)
  const swap = useSwapCall()
  const isSwapping = useIsSwapping()
  const refusal = isDefinite(swap.error) ? swap.error : undefined
  const found = status.data?.found
  const outcome = isSwapping ? 'checking' : status.outcome
  const done = swap.isSuccess ? swap.data : outcome === 'completed' ? found : undefined
  const isOver = done !== undefined || refusal !== undefined || outcome === 'failed'

  // Sent again and lost again: what was found before says nothing of that.
  const isLostAgain = swap.isError && !refusal
  useEffect(() => {
    if (isLostAgain) void forgetSwapStatus(pending.key)
  }, [isLostAgain, pending.key])
  useEffect(() => {
    if (outcome !== 'completed') return
    void refreshPersonalData()
    refreshMarket()
  }, [outcome])

  // Only now: what is forgotten is shown nowhere any more, this sheet included.
  function close(): void {
    if (isOver) forgetPendingSwap(pending.key)
    if (done) onSwapped()
    onClose()
  }

  function drop(): void {
    forgetPendingSwap(pending.key)
    onClose()
  }

  const title = done ? m.swap_result_title() : isOver || outcome === 'never' ? m.swap_not_done() : m.swap_lost_title()
  return (
    <Sheet title={title} onClose={close}>
      <SheetStage name={title}>{content()}</SheetStage>
    </Sheet>
  )

  function content(): ReactNode {
    if (done)
      return (
        <SwapReceipt
          swap={pending}
          result={done}
          onViewOrder={(order) => {
            close()
            onViewOrder(order)
          }}
          onAgain={drop}
          onClose={close}
        />
      )
    if (isOver) {
      const text = refusal ? refusalText(refusal, { suspended: false }) : refusalNameText(found?.reason)
      return (
        <>
          <Problem text={text} detail={m.ui_no_money_moved()} />
          <Button onClick={close}>{m.app_got_it()}</Button>
        </>
      )
    }
    return (
      <>
        <FactList facts={pendingFacts(pending)} />
        {outcome === 'not_yet' ? notYet() : outcome === 'never' ? never() : checking()}
      </>
    )
  }

  function checking(): ReactNode {
    if (!signedIn)
      return (
        <>
          <p>{m.swap_lost_sign_in()}</p>
          <GatedButton needs="session">{m.app_retry()}</GatedButton>
        </>
      )
    if (status.isError && !isSwapping)
      return (
        <>
          <Problem text={errorText(status.error)} detail={m.swap_lost_unknown()} />
          <Button busy={status.isFetching} onClick={() => void explicitRead(() => status.refetch())}>
            {m.app_retry()}
          </Button>
          <Button look="quiet" onClick={close}>
            {m.app_close()}
          </Button>
        </>
      )
    return (
      <>
        <Waiting text={isSwapping ? m.swap_lost_waiting() : m.swap_lost_checking()} />
        <Button look="quiet" onClick={close}>
          {m.app_close()}
        </Button>
      </>
    )
  }

  function notYet(): ReactNode {
    const time = formatTime(String(pending.payload.deadline))
    return (
      <>
        <p role="status">{m.swap_lost_not_found({ time })}</p>
        <Warning text={m.swap_lost_not_twice()} />
        <p className="text-muted">{m.swap_lost_drop_text()}</p>
        <SheetFoot>
          <ConfirmButton confirms="again" label={m.swap_lost_again()} onPress={() => swap.send(pending)} />
          <Button look="quiet" onClick={drop}>
            {m.swap_lost_drop()}
          </Button>
        </SheetFoot>
      </>
    )
  }

  function never(): ReactNode {
    return (
      <>
        <p role="status">{m.swap_lost_late()}</p>
        <Button onClick={drop}>{m.app_got_it()}</Button>
      </>
    )
  }
}

/** What had been confirmed. */
function pendingFacts(pending: PendingSwap) {
  const { exact, sold, bought, payload, limit } = pending
  const fixed =
    exact === 'in'
      ? { label: m.swap_sell_exactly(), value: exactly(payload.amount, sold) }
      : { label: m.swap_buy_exactly(), value: exactly(payload.amount, bought) }
  return [
    fixed,
    limitFact({ exact, sold, bought, limit: BigInt(limit) }),
    { label: m.swap_valid_until(), value: formatTime(String(payload.deadline)) },
  ]
}
