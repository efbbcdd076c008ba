import { cx } from '../browser/cx.ts'

interface PercentStep {
  /** The percentage as it is shown. */
  readonly text: string
  /** Names the press for screen readers. */
  readonly label: string
  /** The field holds the price of this step. */
  readonly isChosen: boolean
  readonly onClick: () => void
}

/** Buttons under a price that fill it in, some percent away. The chosen one is marked. */
export function PercentSteps({ steps }: { steps: readonly PercentStep[] }) {
  return (
    <div className="flex gap-2">
      {steps.map(({ text, label, isChosen, onClick }) => (
        <button
          key={text}
          type="button"
          aria-label={label}
          aria-pressed={isChosen}
          onClick={onClick}
          className={cx(
            'figures min-h-11 flex-1 rounded-control border bg-input text-label font-semibold text-text hover:bg-line light:bg-line',
            isChosen ? 'border-accent' : 'border-transparent',
          )}
        >
          {text}
        </button>
      ))}
    </div>
  )
}
