import type { Step as ShownStep } from '@clearwell/ui/components/progress-steps.tsx'
import { m } from '../../../generated/messages.ts'
import { FAULT_TEXTS, STEP_LABELS, STEP_NAMES } from './outcome-texts.ts'
import type { CheckState } from './run-check.ts'

/** The steps of a check with their states: those that are done, the one in progress while it runs, and the rest. */
export function stepsOf(state: Exclude<CheckState, { status: 'idle' }>): ShownStep[] {
  return STEP_NAMES.map((name, index) => {
    const label = STEP_LABELS[name]()
    const step = state.steps.find((each) => each.name === name)
    if (!step) return { label, state: state.status === 'running' && index === state.steps.length ? 'now' : 'todo' }
    if (step.state === 'wrong') return { label, state: 'failed', detail: FAULT_TEXTS[step.fault]() }
    if (step.state === 'absent') return { label, state: 'todo', detail: m.proof_balance_step_absent() }
    if (step.state === 'unchecked') return { label, state: 'todo', detail: m.proof_balance_step_unchecked() }
    return { label, state: 'done' }
  })
}
