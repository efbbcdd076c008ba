import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { cx } from '../browser/cx.ts'

/** More choices than these are written smaller and scroll sideways where they do not fit. */
const ROOMY_COUNT = 4

/** One of a few choices, all visible. A radio group: the arrow keys move the choice. */
export function SegmentedControl<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  /** Names the group for screen readers. */
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}) {
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      className={cx(
        'flex rounded-control bg-input p-1 light:bg-line',
        // Magnified, whole choices are below each other: nothing scrolls, and no word is broken.
        options.length > ROOMY_COUNT
          ? 'overflow-x-auto text-label narrow:gap-1 max-magnified:flex-wrap max-magnified:gap-1'
          : 'flex-wrap gap-1',
      )}
    >
      {options.map((option) => (
        <Radio.Root
          key={option.value}
          value={option.value}
          nativeButton
          render={<button type="button" />}
          className={cx(
            'min-h-11 flex-1 text-nowrap max-magnified:basis-auto rounded-chip px-1 text-muted hover:text-text data-checked:bg-line data-checked:font-semibold data-checked:text-text light:data-checked:bg-surface',
            // Beside a title there is no width to share.
            options.length === 2 && 'min-w-16',
          )}
        >
          {/* With the padding a target of 44 px. On the button it would let a long label run out of it. */}
          <span className="inline-block min-w-9">{option.label}</span>
        </Radio.Root>
      ))}
    </RadioGroup>
  )
}
