import { Button } from '@clearwell/ui/components/button.tsx'
import { SheetFoot } from '@clearwell/ui/components/sheet.tsx'
import { ConfirmButton, Problem } from '@clearwell/ui/components/stage-parts.tsx'
import { showToast } from '@clearwell/ui/components/toast-store.ts'
import { GatedButton } from '../../account/gated-button.tsx'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { refusedText } from './plan-refusal.ts'
import { factsOf, type Plan, sidesOf, tradeText } from './plan-words.ts'

/** Pauses or resumes an open plan, and leads to its cancellation. */
export function PlanActions({ plan, onCancel }: { plan: Plan; onCancel: () => void }) {
  const { plan_id } = plan
  const pause = useCommand('pausePlan', { silent: true })
  const resume = useCommand('resumePlan', { silent: true })
  const error = pause.error ?? resume.error
  const isBusy = pause.isPending || resume.isPending
  return (
    <>
      {error && <Problem text={refusedText(error, sidesOf(plan).sold)} detail={m.plan_not_changed()} />}
      {plan.status === 'active' ? (
        <Button
          look="quiet"
          icon="pause"
          busy={isBusy}
          onClick={() =>
            pause.mutate({ plan_id }, { facts: factsOf(plan), onSuccess: () => showToast(m.plan_paused()) })
          }
        >
          {m.plan_pause()}
        </Button>
      ) : (
        <GatedButton
          needs="activation"
          icon="play"
          busy={isBusy}
          onClick={() =>
            resume.mutate({ plan_id }, { facts: factsOf(plan), onSuccess: () => showToast(m.plan_resumed()) })
          }
        >
          {m.plan_resume()}
        </GatedButton>
      )}
      <Button look="danger" onClick={onCancel}>
        {m.plan_cancel()}
      </Button>
    </>
  )
}

/** Asks before a plan is cancelled: it cannot be brought back. */
export function CancelPlan({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const { plan_id } = plan
  const cancel = useCommand('cancelPlan', { silent: true })
  function confirm(): void {
    cancel.mutate(
      { plan_id },
      {
        facts: factsOf(plan),
        onSuccess: () => {
          showToast(m.plan_cancelled())
          onClose()
        },
      },
    )
  }
  return (
    <>
      <p>{m.plan_cancel_text({ trade: tradeText(plan) })}</p>
      {cancel.error && <Problem text={refusedText(cancel.error, sidesOf(plan).sold)} detail={m.plan_not_changed()} />}
      <SheetFoot>
        <ConfirmButton confirms={plan_id} label={m.plan_cancel()} danger busy={cancel.isPending} onPress={confirm} />
        {!cancel.isPending && (
          <Button look="quiet" onClick={onClose}>
            {m.plan_keep()}
          </Button>
        )}
      </SheetFoot>
    </>
  )
}
