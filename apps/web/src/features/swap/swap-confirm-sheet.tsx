import { useStore } from '@clearwell/ui/browser/store.ts'
import { Button } from '@clearwell/ui/components/button.tsx'
import { FootRow, Sheet, SheetFoot } from '@clearwell/ui/components/sheet.tsx'
import { ConfirmButton, Problem, SheetStage, Waiting } from '@clearwell/ui/components/stage-parts.tsx'
import { useReducer, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { refreshUser } from '../../api/query-client.ts'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { refreshMarket, type SwapOrder } from './swap.queries.ts'
import type { IncludedActivation } from './swap-activation.ts'
import { askingStage, notActivatedStage, paidText, refusedStage, type Stage } from './swap-confirm-stages.tsx'
import {
  type ConfirmedTerms,
  type ConfirmState,
  confirmStep,
  reduceConfirmation,
  startConfirmation,
} from './swap-confirmation.ts'
import { SWAP_FORM } from './swap-draft.ts'
import { SwapReceipt } from './swap-order-sheet.tsx'
import { deadlineAfter, deadlineMinutesOf, swapSettingsStore } from './swap-settings.ts'
import { type Amounts, confirmedSwapOf, type SwapTerms, swapPayload, type Trade } from './swap-terms.ts'

interface SwapConfirmSheetProps {
  readonly trade: Trade
  readonly terms: SwapTerms
  /** When the quote of these terms expires, in the server's time. */
  readonly expiresAt: string
  /** The server's latest quote for the same swap. */
  readonly live: (Amounts & { readonly expiresAt: string }) | undefined
  /** The swap went through and the user closed its receipt. */
  readonly onSwapped: () => void
  /** The activation that the same press pays first. */
  readonly activation?: IncludedActivation | undefined
  readonly onViewOrder: (order: SwapOrder) => void
  readonly onClose: () => void
}

/** Shows the terms of a swap in words, executes it and shows the outcome. */
export default function SwapConfirmSheet(props: SwapConfirmSheetProps) {
  const { trade, live, activation, onSwapped, onViewOrder, onClose } = props
  const { state, confirm, isRetrying, isActivated, deadlineFrom } = useConfirmation(props)
  const paidActivation = isActivated ? activation : undefined

  function finish(): void {
    onSwapped()
    onClose()
  }

  function viewOrder(order: SwapOrder): void {
    finish()
    onViewOrder(order)
  }

  switch (state.name) {
    case 'done':
      return (
        <Sheet title={m.swap_result_title()} onClose={finish}>
          <SheetStage name="done">
            {paidActivation && <p className="text-center text-muted">{paidText(paidActivation)}</p>}
            <SwapReceipt
              swap={state.swap}
              result={state.result}
              onViewOrder={viewOrder}
              onAgain={onClose}
              onClose={finish}
            />
          </SheetStage>
        </Sheet>
      )
    default: {
      const stage = stageOf()
      const isFirstTry = state.name === 'activating' || (state.name === 'sending' && !isRetrying)
      return (
        <Sheet title={stage.title} text={stage.text} onClose={onClose} locked={isFirstTry}>
          <SheetStage name={stage.name}>
            {paidActivation && state.name !== 'refused' && <p className="text-muted">{paidText(paidActivation)}</p>}
            {stage.content}
            <StageFoot state={state} stage={stage} isRetrying={isRetrying} onConfirm={confirm} onClose={onClose} />
          </SheetStage>
        </Sheet>
      )
    }
  }

  function stageOf(): Stage {
    switch (state.name) {
      case 'refused':
        return refusedStage(state.refusal, paidActivation)
      case 'not_activated':
        return notActivatedStage(state)
      case 'done':
        throw new TypeError('this stage has a sheet of its own')
      default: {
        const unpaid = isActivated ? undefined : activation
        return askingStage({ state, trade, live, deadlineFrom, expiresAt: props.expiresAt, activation: unpaid })
      }
    }
  }
}

/** The state of the confirmation, and the function that confirms it. */
function useConfirmation({ trade, terms, expiresAt, activation, onClose }: SwapConfirmSheetProps) {
  const { deadlineMinutes } = useStore(swapSettingsStore)
  const deadlineFrom = (time: string) => deadlineAfter(time, deadlineMinutesOf(deadlineMinutes) ?? 1)
  const [state, dispatch] = useReducer(
    reduceConfirmation,
    { terms, deadline: deadlineFrom(expiresAt) },
    startConfirmation,
  )
  const command = useCommand('doSwap', { silent: true, form: SWAP_FORM })
  const activate = useCommand('activeByBalance', { silent: true })
  const [isActivated, setActivated] = useState(false)

  function confirm(confirmed: ConfirmedTerms, { impactAccepted }: { impactAccepted: boolean }): void {
    if (state.name === 'not_activated') {
      payActivation(confirmed)
      return
    }
    const isOnline = navigator.onLine
    const step = confirmStep(confirmed, { impactAccepted, isOnline })
    if (step === 'needs_impact') dispatch({ type: step, confirmed, isOffline: !isOnline })
    else if (step === 'offline') dispatch({ type: step, confirmed })
    else if (activation && !isActivated) payActivation(confirmed)
    else send(confirmed)
  }

  /** Two commands, each with its own idempotency key: the swap is sent only after the activation is certain. */
  function payActivation(confirmed: ConfirmedTerms): void {
    dispatch({ type: 'activating', confirmed })
    activate.mutate(
      {},
      {
        facts: { price: activation?.price ?? '', asset: activation?.asset ?? 'USDT' },
        onSuccess: () => {
          setActivated(true)
          void refreshUser()
          send(confirmed)
        },
        onError: (error) => dispatch({ type: 'activation_failed', error }),
      },
    )
  }

  function send(confirmed: ConfirmedTerms): void {
    const payload = swapPayload(trade, confirmed.terms, confirmed.deadline)
    const swap = confirmedSwapOf(confirmed.terms, payload)
    const { sold, bought, quotedIn, quotedOut } = swap
    dispatch({ type: 'sent', confirmed, swap })
    command.mutate(payload, {
      facts: { sold, bought, quotedIn, quotedOut },
      onSuccess: (result) => dispatch({ type: 'completed', result }),
      onError: (error) => {
        if (error instanceof ApiError) dispatch({ type: 'refused', refusal: error })
        // The note of the lost command goes on.
        else onClose()
      },
      onSettled: refreshMarket,
    })
  }

  return { state, confirm, isRetrying: command.failureCount > 0, isActivated, deadlineFrom }
}

/** The progress, the confirm button where the stage has one, and the close button. The first attempt cannot be closed. */
function StageFoot({
  state,
  stage: { name, confirm },
  isRetrying,
  onConfirm,
  onClose,
}: {
  state: ConfirmState
  stage: Stage
  isRetrying: boolean
  onConfirm: (confirmed: ConfirmedTerms, accepted: { impactAccepted: boolean }) => void
  onClose: () => void
}) {
  const isSending = state.name === 'sending' || state.name === 'activating'
  const impactAccepted = confirm?.impactAccepted ?? false
  return (
    <SheetFoot>
      {isSending && isRetrying && <Waiting text={m.swap_trying_again()} />}
      {'isOffline' in state && state.isOffline && <Problem text={m.swap_offline()} />}
      <FootRow>
        {confirm && (
          <ConfirmButton
            confirms={`${name} ${confirm.figures ?? ''}`}
            label={confirm.label}
            danger={impactAccepted}
            busy={isSending}
            onPress={() => onConfirm(confirm.confirmed, { impactAccepted })}
          />
        )}
        {!(isSending && !isRetrying) && (
          <Button look="quiet" onClick={onClose}>
            {isSending || !confirm ? m.app_close() : m.app_cancel()}
          </Button>
        )}
      </FootRow>
    </SheetFoot>
  )
}
