import { cx } from '../browser/cx.ts'
import { m } from '../generated/messages.ts'
import { Icon, type IconName } from '../icons/icon.tsx'

export interface Step {
  readonly label: string
  readonly detail?: string
  /** Time that runs down: seen, and not said to a screen reader at every second. */
  readonly timeLeft?: string
  readonly state: 'done' | 'now' | 'todo' | 'failed'
}

const ICONS: Record<Step['state'], { icon: IconName; look: string }> = {
  done: { icon: 'circle-check', look: 'text-text' },
  now: { icon: 'loader-circle', look: 'animate-spin text-accent' },
  todo: { icon: 'circle', look: 'text-muted' },
  failed: { icon: 'circle-alert', look: 'text-warn' },
}

/** The stages of something that takes its time, such as a payment: approve, send, seen, confirmed, credited. */
export function ProgressSteps({ label, steps }: { label: string; steps: readonly Step[] }) {
  const states = { done: m.ui_step_done(), now: m.ui_step_now(), todo: m.ui_step_todo(), failed: m.app_failed() }
  return (
    <ol aria-label={label} aria-live="polite" className="flex flex-col gap-4">
      {steps.map((step) => (
        <li key={step.label} aria-current={step.state === 'now' ? 'step' : undefined} className="flex gap-3">
          <Icon name={ICONS[step.state].icon} className={ICONS[step.state].look} />
          <span className={cx('flex flex-col', step.state === 'todo' && 'text-muted')}>
            <span>
              {step.label}
              <span className="sr-only"> {states[step.state]}</span>
            </span>
            {step.detail && <span className="figures text-label text-muted">{step.detail}</span>}
            {step.timeLeft && (
              <span role="timer" aria-live="off" className="figures text-label text-muted">
                {step.timeLeft}
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}
