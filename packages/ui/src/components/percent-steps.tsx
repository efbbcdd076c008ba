import { cx } from '../browser/cx.ts'
import { formatPercent } from '../i18n/format.ts'

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

/** A step in words, such as `−5%`. @param percent a whole number between -99 and 99 */
export function percentText(percent: number): string {
  return formatPercent(`${percent < 0 ? '-' : ''}0.${String(Math.abs(percent)).padStart(2, '0')}`, { signed: true })
}
