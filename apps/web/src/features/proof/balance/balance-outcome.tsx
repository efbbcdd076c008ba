import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatDate, formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { m } from '../../../generated/messages.ts'
import { Note } from '../check-note.tsx'
import { isEmpty, type UnknownReason } from './decide-outcome.ts'
import type { FailedCheck, KeptCheck } from './kept-check.ts'
import { FAULT_TEXTS, UNKNOWN_TEXTS } from './outcome-texts.ts'
import type { CheckState } from './run-check.ts'

interface BalanceOutcomeProps {
  readonly state: CheckState
  readonly failure: FailedCheck | undefined
  readonly kept: KeptCheck | undefined
}

/** The outcome of a check: holds, does not hold, or could not be checked and why. An earlier failure stays beside a later outcome. */
export function BalanceOutcome({ state, failure, kept }: BalanceOutcomeProps) {
  const isBroken = state.status === 'done' && state.outcome.kind === 'broken'
  return (
    <>
      {failure && state.status !== 'idle' && !isBroken && (
        <p className="rounded-control border border-down/50 p-3 text-secondary text-down">
          {m.proof_balance_last_broken({ time: formatDateTime(failure.checkedAt) })}
        </p>
      )}
      <div
        role={isBroken ? 'alert' : 'status'}
        className="flex min-h-44 shrink-0 flex-col items-center justify-center text-center text-phrases"
      >
        <Outcome state={state} failure={failure} kept={kept} />
      </div>
    </>
  )
}

function Outcome({ state, failure, kept }: BalanceOutcomeProps) {
  if (state.status === 'running')
    return (
      <p className="flex flex-col items-center gap-3 text-muted">
        <Icon name="loader-circle" className="size-8 animate-spin text-accent" />
        {m.proof_balance_running()}
      </p>
    )
  if (state.status === 'idle')
    return failure ? <Note tone="fault" title={m.proof_balance_broken()} text={FAULT_TEXTS[failure.fault]()} /> : null
  const { outcome } = state
  switch (outcome.kind) {
    case 'holds':
      return <Note tone="done" title={m.proof_balance_holds()} text={holdsText(kept)} />
    case 'broken':
      return <Note tone="fault" title={m.proof_balance_broken()} text={FAULT_TEXTS[outcome.fault]()} />
    case 'unknown':
      return (
        <Note
          tone={isEmpty(outcome) ? 'empty' : 'unknown'}
          title={unknownTitle(outcome.reason)}
          text={UNKNOWN_TEXTS[outcome.reason]()}
        />
      )
  }
}

function holdsText(kept: KeptCheck | undefined): string {
  const header = formatAmount(kept?.signed.number ?? '0')
  const text = m.proof_balance_holds_text({ header, time: formatDateTime(headerTime(kept)) })
  if (kept?.archivedUntil === undefined) return text
  return `${text} ${m.proof_balance_archived({ date: formatDate(kept.archivedUntil) })}`
}

/** An account that is not in the header has no balance to check: that is no fault. */
function unknownTitle(reason: UnknownReason): string {
  if (reason === 'nothing') return m.proof_balance_nothing()
  if (reason === 'not_posted') return m.proof_balance_not_posted()
  return reason === 'not_yet' ? m.proof_balance_not_yet() : m.proof_balance_unknown()
}

/** A header names the time of the last block that it contains. */
function headerTime(kept: KeptCheck | undefined): string {
  return new Date((kept?.signed.header.cursorTime ?? 0) * 1_000).toISOString()
}
