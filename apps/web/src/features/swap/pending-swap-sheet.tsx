import { Button } from '@clearwell/ui/components/button.tsx'
import { explicitRead } from '@clearwell/ui/components/explicit-read.ts'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Sheet, SheetFoot } from '@clearwell/ui/components/sheet.tsx'
import { ConfirmButton, Problem, SheetStage, Waiting, Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { formatTime } from '@clearwell/ui/i18n/format-date.ts'
import { useEffect } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import { isFinalRefusal } from '../../api/api-error.ts'
import { refreshPersonalData } from '../../api/query-client.ts'
import { m } from '../../generated/messages.ts'
import { forgetPendingSwap, type PendingSwap } from './pending-swaps.ts'
import { refreshMarket, type SwapOrder, useExecuteSwap, useIsSwapping } from './swap.queries.ts'
import { limitFact } from './swap-facts.tsx'
import { exactly } from './swap-figures.ts'
import { SwapReceipt } from './swap-order-sheet.tsx'
import { refusalNameText, refusalText } from './swap-refusal.ts'
import { forgetSwapStatus, type PendingStage, pendingStageOf, useSwapStatus } from './swap-status.ts'

interface PendingSwapSheetProps {
  readonly pending: PendingSwap
  readonly onSwapped: () => void
  readonly onViewOrder: (order: SwapOrder) => void
  readonly onClose: () => void
}

/**
 * A swap whose response was lost: looks up its outcome and shows it. A swap that the server does not know can be sent
 * again with the same key, or dropped from this device, which does not cancel it. The device forgets the swap once its
 * outcome was seen.
 */
export default function PendingSwapSheet({ pending, onSwapped, onViewOrder, onClose }: PendingSwapSheetProps) {
  const { stage, executeSwap, retry, isRetrying } = usePendingStage(pending)
  const isOver = stage.name === 'done' || stage.name === 'refused' || stage.name === 'failed'

  // Not earlier: a forgotten swap disappears from the screen, and this sheet with it.
  function close(): void {
    if (isOver) forgetPendingSwap(pending.key)
    if (stage.name === 'done') onSwapped()
    onClose()
  }

  function drop(): void {
    forgetPendingSwap(pending.key)
    onClose()
  }

  function viewOrder(order: SwapOrder): void {
    close()
    onViewOrder(order)
  }

  const title = titleOf(stage)
  return (
    <Sheet title={title} onClose={close}>
      <SheetStage name={title}>
        {stage.name === 'done' ? (
          <SwapReceipt swap={pending} result={stage.result} onViewOrder={viewOrder} onAgain={drop} onClose={close} />
        ) : isOver ? (
          <NotDone stage={stage} onClose={close} />
        ) : (
          <>
            <FactList facts={pendingFacts(pending)} />
            {stage.name === 'not_yet' ? (
              <NotYet pending={pending} onSend={() => executeSwap(pending)} onDrop={drop} />
            ) : stage.name === 'never' ? (
              <>
                <p role="status">{m.swap_lost_late()}</p>
                <Button onClick={drop}>{m.app_got_it()}</Button>
              </>
            ) : (
              <Lookup stage={stage} isRetrying={isRetrying} onRetry={retry} onClose={close} />
            )}
          </>
        )}
      </SheetStage>
    </Sheet>
  )
}

function usePendingStage(pending: PendingSwap) {
  const { signedIn } = useAccount()
  const status = useSwapStatus(pending)
  const swap = useExecuteSwap()
  const isSwapping = useIsSwapping()
  const refusal = isFinalRefusal(swap.error) ? swap.error : undefined
  const { outcome } = status

  // After a second loss, the earlier lookup's result does not apply to the new attempt.
  const isLostAgain = swap.isError && !refusal
  useEffect(() => {
    if (isLostAgain) void forgetSwapStatus(pending.key)
  }, [isLostAgain, pending.key])
  const isCompleted = !isSwapping && outcome === 'completed'
  useEffect(() => {
    if (!isCompleted) return
    void refreshPersonalData()
    refreshMarket()
  }, [isCompleted])

  const stage = pendingStageOf({
    executed: swap.data,
    refusal,
    outcome,
    found: status.data?.found,
    lookupError: status.error,
    isSwapping,
    signedIn,
  })
  const retry = () => void explicitRead(() => status.refetch())
  return { stage, executeSwap: swap.executeSwap, retry, isRetrying: status.isFetching }
}

function titleOf({ name }: PendingStage): string {
  switch (name) {
    case 'done':
      return m.swap_result_title()
    case 'refused':
    case 'failed':
    case 'never':
      return m.swap_not_done()
    default:
      return m.swap_lost_title()
  }
}

/** The swap failed, and no funds moved. */
function NotDone({
  stage,
  onClose,
}: {
  stage: Extract<PendingStage, { name: 'refused' | 'failed' }>
  onClose: () => void
}) {
  const text = stage.name === 'refused' ? refusalText(stage.refusal) : refusalNameText(stage.reason)
  return (
    <>
      <Problem text={text} detail={m.ui_no_money_moved()} />
      <Button onClick={onClose}>{m.app_got_it()}</Button>
    </>
  )
}

/** The server does not know the swap, but it may still arrive before its deadline. */
function NotYet({ pending, onSend, onDrop }: { pending: PendingSwap; onSend: () => void; onDrop: () => void }) {
  const time = formatTime(String(pending.payload.deadline))
  return (
    <>
      <p role="status">{m.swap_lost_not_found({ time })}</p>
      <Warning text={m.swap_lost_not_twice()} />
      <p className="text-muted">{m.swap_lost_drop_text()}</p>
      <SheetFoot>
        <ConfirmButton confirms="again" label={m.swap_lost_again()} onPress={onSend} />
        <Button look="quiet" onClick={onDrop}>
          {m.swap_lost_drop()}
        </Button>
      </SheetFoot>
    </>
  )
}

/** The lookup is in progress, failed, or needs a session. */
function Lookup({
  stage,
  isRetrying,
  onRetry,
  onClose,
}: {
  stage: Extract<PendingStage, { name: 'signed_out' | 'unreachable' | 'sending' | 'checking' }>
  isRetrying: boolean
  onRetry: () => void
  onClose: () => void
}) {
  if (stage.name === 'signed_out')
    return (
      <>
        <p>{m.swap_lost_sign_in()}</p>
        <GatedButton needs="session">{m.app_retry()}</GatedButton>
      </>
    )
  return (
    <>
      {stage.name === 'unreachable' ? (
        <>
          <Problem text={errorText(stage.error)} detail={m.swap_lost_unknown()} />
          <Button busy={isRetrying} onClick={onRetry}>
            {m.app_retry()}
          </Button>
        </>
      ) : (
        <Waiting text={stage.name === 'sending' ? m.swap_lost_waiting() : m.swap_lost_checking()} />
      )}
      <Button look="quiet" onClick={onClose}>
        {m.app_close()}
      </Button>
    </>
  )
}

/** The confirmed figures of the swap. */
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
