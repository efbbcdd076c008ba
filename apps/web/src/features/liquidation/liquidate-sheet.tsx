import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { SheetStage } from '@clearwell/ui/components/stage-parts.tsx'
import { useState } from 'react'
import { useKeptForm } from '../../account/use-kept-form.ts'
import { ApiError, UnknownOutcomeError } from '../../api/api-error.ts'
import { queryClient } from '../../api/query-client.ts'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { Review } from './liquidate-review.tsx'
import { Done, LeftMarket, RefusedStage } from './liquidate-stages.tsx'
import type { LiquidationOrder } from './liquidation.queries.ts'
import { explainRefusal } from './liquidation-refusal.ts'
import { allowedAmounts, type LiquidationTerms, type Part, partOf, termsOf, wayOf } from './liquidation-terms.ts'
import { PartChoice } from './part-choice.tsx'

interface LiquidateSheetProps {
  /** The order as it was when its sheet was opened. */
  readonly opened: LiquidationOrder
  /** The same order now, while it is on the market. */
  readonly live: LiquidationOrder | undefined
  readonly isGone: boolean
  readonly onClose: () => void
}

/** Says in words what a liquidation does, executes it, and shows its outcome. */
export default function LiquidateSheet({ opened, live, isGone, onClose }: LiquidateSheetProps) {
  const { order, terms, stage, command, confirm, part, typed, setPart } = useLiquidation({
    opened,
    live,
    isGone,
    onClose,
  })
  const allowed = allowedAmounts(order)
  return (
    <Sheet title={titleOf()} onClose={onClose} locked={stage === 'sending' && command.failureCount === 0}>
      <SheetStage name={stage === 'sending' ? 'review' : stage}>{content()}</SheetStage>
    </Sheet>
  )

  function titleOf(): string {
    if (stage === 'done') return m.liquidation_done()
    if (stage === 'gone') return m.liquidation_gone()
    return stage === 'refused' ? refused().title : m.liquidation_title()
  }

  function content() {
    switch (stage) {
      case 'done':
        return command.data && <Done order={order} result={command.data} onClose={onClose} />
      case 'gone':
        return <LeftMarket onClose={onClose} />
      case 'refused':
        return (
          terms && (
            <RefusedStage
              order={order}
              terms={terms}
              refused={refused()}
              onConfirm={confirm}
              onBack={() => command.reset()}
              onClose={onClose}
            />
          )
        )
      case 'review':
      case 'sending':
        return (
          <Review
            order={order}
            choice={
              stage === 'review' &&
              allowed &&
              part && <PartChoice order={order} allowed={allowed} part={part} typed={typed} onChange={setPart} />
            }
            terms={terms}
            isSending={stage === 'sending'}
            isRetrying={command.failureCount > 0}
            onConfirm={confirm}
            onClose={onClose}
          />
        )
    }
  }

  function refused() {
    if (!(command.error instanceof ApiError)) throw new TypeError('a refused liquidation has its refusal')
    const { lending_asset: lending, collateral_asset: collateral, total_debt: debt } = order
    const { paid = debt, maxDebt = debt, minReceived = '0' } = terms ?? {}
    return explainRefusal(command.error, { lending, collateral, paid, maxDebt, minReceived })
  }
}

type Stage = 'review' | 'sending' | 'done' | 'refused' | 'gone'

/** The state of one liquidation. Its figures follow the market until the user confirms them. */
function useLiquidation({ opened, live, isGone, onClose }: LiquidateSheetProps) {
  const formName = `liquidate-${opened.order_id}`
  const command = useCommand('liquidate', { silent: true, form: formName })
  const [confirmed, setConfirmed] = useState<{ order: LiquidationOrder; terms: LiquidationTerms }>()
  const { fields, change } = useKeptForm(formName, { way: '', amount: '' })
  const isOpen = command.isIdle
  const order = (isOpen ? live : confirmed?.order) ?? opened
  const allowed = allowedAmounts(order)
  const part = allowed && partOf(fields, allowed)
  const terms = isOpen ? part && termsOf(order, part) : confirmed?.terms
  const setPart = (next: Part) =>
    change({ way: wayOf(next), ...(typeof next === 'string' ? {} : { amount: next.amount }) })

  /** The same terms are the same command: an attempt without a response is never done twice. */
  function confirm(next: LiquidationTerms): void {
    setConfirmed({ order, terms: next })
    command.mutate(
      {
        order_id: order.order_id,
        max_debt: next.maxDebt,
        min_received: next.minReceived,
        ...(next.amount === undefined ? {} : { amount: next.amount }),
      },
      {
        facts: { lending: order.lending_asset, collateral: order.collateral_asset, paid: next.paid },
        // The note of the lost command goes on.
        onError: (error) => {
          if (error instanceof UnknownOutcomeError) onClose()
        },
        // The market is public, so no command refreshes it.
        onSettled: () => void queryClient.invalidateQueries({ queryKey: ['liquidations'] }),
      },
    )
  }

  function stageNow(): Stage {
    if (command.isSuccess) return 'done'
    if (command.isPending) return 'sending'
    if (command.error instanceof ApiError) return 'refused'
    return isGone ? 'gone' : 'review'
  }

  return { order, terms, stage: stageNow(), command, confirm, part, typed: fields.amount, setPart }
}
