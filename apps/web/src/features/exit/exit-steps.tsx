import { Card } from '@clearwell/ui/components/card.tsx'
import { ProgressSteps, type Step } from '@clearwell/ui/components/progress-steps.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import type { ReactNode } from 'react'
import { m } from '../../generated/messages.ts'
import type { Exit } from './exit.queries.ts'

/** An exit that is open, by its exact times, its amounts, and what still works until when. */
export function ExitSteps({ exit, children }: { exit: Exit; children?: ReactNode }) {
  return (
    <>
      <Card title={m.exit_steps()}>
        <ProgressSteps label={m.exit_steps()} steps={stepsOf(exit)} />
      </Card>
      {children}
      <Card title={m.exit_works()}>
        <ul className="flex list-disc flex-col gap-2 ps-4 text-secondary">
          {worksTexts(exit).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        <p className="mt-3 text-secondary text-muted">{m.exit_works_not()}</p>
      </Card>
    </>
  )
}

/** Pure: the steps of an exit. Waiting for a date is no work in progress, so only confirmations turn. */
export function stepsOf({ state, requested_at, base_at, ready_at, next, paid }: Exit): Step[] {
  const time = (iso: string | null) => (iso ? formatDateTime(iso) : '')
  const own = paidSince(paid, requested_at)
  const isFixed = isAmountFixed({ state, next })
  return [
    {
      label: state === 'requested' ? m.exit_step_confirming() : m.exit_step_requested(),
      state: state === 'requested' ? 'now' : 'done',
      detail: time(requested_at),
    },
    {
      label: isFixed ? m.exit_step_fixed() : m.exit_step_fixing(),
      state: isFixed ? 'done' : 'todo',
      detail: time(base_at),
    },
    {
      label: state === 'ready' ? m.exit_step_ready() : m.exit_step_readying(),
      state: state === 'ready' ? 'done' : 'todo',
      detail: time(ready_at),
    },
    ...collectStep({ state, ready_at }, own),
    ...own.map(({ asset, amount, booked_at }) => ({
      label: m.exit_step_paid({ amount: `${formatAmount(amount)} ${asset}` }),
      state: 'done' as const,
      detail: time(booked_at),
    })),
    ...(state === 'cancelling' ? [{ label: m.exit_step_reopening(), state: 'now' as const }] : []),
  ]
}

/** The vault sends nothing without its owner: the last step is theirs. After a first payment the screen lists the assets that are left. */
function collectStep({ state, ready_at: readyAt }: Pick<Exit, 'state' | 'ready_at'>, own: Exit['paid']): Step[] {
  if (state === 'cancelling' || own.length > 0) return []
  const detail =
    state === 'ready' ? m.exit_step_collect_now() : m.exit_step_collect_from({ time: formatDateTime(readyAt ?? '') })
  return [{ label: m.exit_step_collect(), state: 'todo', detail }]
}

/** Returns whether later changes of the balance no longer count for the exit. */
export function isAmountFixed({ state, next }: Pick<Exit, 'state' | 'next'>): boolean {
  return state === 'ready' || next?.what === 'ready'
}

/** Payments of this exit; the list has those of earlier ones too. */
export function paidSince(paid: Exit['paid'], requestedAt: string | null): Exit['paid'] {
  return requestedAt === null ? [] : paid.filter(({ booked_at }) => booked_at >= requestedAt).reverse()
}

/** Pure: what the account still does, each with its end. */
export function worksTexts({ allowed, repay_until: until }: Exit): string[] {
  const time = until ? formatDateTime(until) : ''
  return [
    ...(allowed.includes('repay') ? [m.exit_works_repay({ time })] : []),
    ...(allowed.includes('cancel_transfer_out') ? [m.exit_works_cancel_out()] : []),
    ...(allowed.includes('cancel_exit') ? [m.exit_works_cancel()] : []),
    m.exit_works_read(),
  ]
}
