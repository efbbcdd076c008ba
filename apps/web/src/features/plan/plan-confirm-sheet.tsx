import type { PayloadInput } from '@clearwell/api/routes'
import { Button } from '@clearwell/ui/components/button.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { FootRow, Sheet, SheetFoot } from '@clearwell/ui/components/sheet.tsx'
import { ShownAmounts } from '@clearwell/ui/components/shown-amounts.tsx'
import { ConfirmButton, Problem } from '@clearwell/ui/components/stage-parts.tsx'
import { showToast } from '@clearwell/ui/components/toast-store.ts'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CommandFacts } from '../../api/command-facts.ts'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { refusedText } from './plan-refusal.ts'

/** Says in words what will be planned and the limits of the promise, before it is planned. */
export function PlanConfirmSheet({
  title,
  text,
  rows,
  limits,
  payload,
  facts,
  form,
  onClose,
}: {
  title: string
  text: string
  rows: readonly { label: string; value: ReactNode }[]
  /** Sentences about the limits of the plan. */
  limits: readonly string[]
  payload: PayloadInput<'createPlan'>
  facts: CommandFacts['createPlan']
  /** The name of the kept form that ends with the plan. */
  form: string
  onClose: () => void
}) {
  const create = useCommand('createPlan', { silent: true, form })
  const navigate = useNavigate()
  function confirm(): void {
    create.mutate(payload, {
      facts,
      onSuccess: ({ plan_id }) => {
        showToast(m.plan_created())
        void navigate({ to: '/{-$locale}/swap/plans', search: { plan: plan_id } })
      },
    })
  }
  return (
    <Sheet title={title} text={text} onClose={onClose} locked={create.isPending}>
      {/* The user is about to confirm them. */}
      <ShownAmounts>
        <FactList facts={rows} />
      </ShownAmounts>
      <section aria-label={m.plan_limits()} className="flex flex-col gap-2">
        <h3 className="font-semibold">{m.plan_limits()}</h3>
        <ul className="flex list-disc flex-col gap-2 ps-6 text-muted">
          {limits.map((limit) => (
            <li key={limit}>{limit}</li>
          ))}
        </ul>
      </section>
      {create.error && <Problem text={refusedText(create.error, facts.sold)} detail={m.plan_not_created()} />}
      <SheetFoot>
        <FootRow>
          <ConfirmButton
            confirms={JSON.stringify(payload)}
            label={m.plan_create()}
            busy={create.isPending}
            onPress={confirm}
          />
          {!create.isPending && (
            <Button look="quiet" onClick={onClose}>
              {m.app_cancel()}
            </Button>
          )}
        </FootRow>
      </SheetFoot>
    </Sheet>
  )
}
