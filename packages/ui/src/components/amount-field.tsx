import { type CSSProperties, useId } from 'react'
import { cx } from '../browser/cx.ts'
import { m } from '../generated/messages.ts'
import { AMOUNT_FIELD, percentOf } from './amount-input.ts'
import { AmountText } from './amount-text.tsx'
import { useGroupedAmount } from './use-grouped-amount.ts'

interface AmountFieldProps {
  readonly label: string
  /** Plain decimal text as typed so far; parse it with `parseUnits`, never with Number. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly asset: string
  /** Decimals that the asset allows. */
  readonly decimals?: number
  /** The usable balance as plain decimal text. With it the field shows chips for parts of it and for Max. */
  readonly balance?: string | undefined
  /** Reserves room for the chips while the balance loads. */
  readonly awaitsBalance?: boolean
  readonly balanceLabel?: string
  /** The amount that the chips divide, if less than `balance`, because some must stay for the network fee. */
  readonly spendable?: string | undefined
  readonly percents?: readonly number[]
  readonly error?: string | undefined
  readonly hint?: string | undefined
  readonly disabled?: boolean
  readonly readOnly?: boolean
}

const DEFAULT_PERCENTS = [25, 50, 75]
/** Digits that fit on the narrowest phone; longer amounts are smaller, so that they fit too. */
const SEEN_DIGITS = 12

/** The field for every amount of money: text in, text out. */
export function AmountField({
  label,
  value,
  onChange,
  asset,
  decimals = 18,
  balance,
  awaitsBalance = false,
  balanceLabel = m.ui_available(),
  spendable = balance,
  percents = DEFAULT_PERCENTS,
  error,
  hint,
  disabled,
  readOnly,
}: AmountFieldProps) {
  const id = useId()
  const note = error ?? hint
  const grouped = useGroupedAmount(value, decimals)
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-3 text-label text-muted">
        <label htmlFor={id}>{label}</label>
        {balance !== undefined && (
          <span>
            {balanceLabel} <AmountText amount={balance} asset={asset} className="text-text" />
          </span>
        )}
      </div>
      <div
        className={cx(
          'flex items-center gap-x-3 rounded-control border bg-input px-4 focus-within:border-accent max-magnified:flex-wrap',
          error ? 'border-warn' : 'border-transparent light:border-line',
        )}
      >
        {/* Magnified, the asset is below the amount, which is as large as its digits allow. */}
        <span className="@container min-w-0 flex-1 max-magnified:basis-full">
          <input
            id={id}
            value={grouped.shown}
            onChange={({ target }) => {
              const next = grouped.note(target)
              if (next !== undefined) onChange(next)
            }}
            onBlur={grouped.settle}
            {...AMOUNT_FIELD}
            disabled={disabled}
            readOnly={readOnly}
            aria-invalid={error ? true : undefined}
            aria-describedby={note ? `${id}-note` : undefined}
            style={{ '--digits': Math.max(1, grouped.shown.length) } as CSSProperties}
            className={cx(
              'figures min-h-14 w-full bg-transparent outline-none placeholder:text-muted max-magnified:min-h-11 max-magnified:fit-digits',
              grouped.shown.length > SEEN_DIGITS ? 'text-section' : 'text-amount',
            )}
          />
        </span>
        <span className="shrink-0 font-semibold max-magnified:pb-3">{asset}</span>
      </div>
      {(spendable !== undefined || awaitsBalance) && !readOnly && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row everywhere.
        <div role="group" aria-label={label} className="flex gap-2">
          {[...percents, 100].map((percent) => (
            <Chip
              key={percent}
              disabled={disabled || !/[1-9]/.test(spendable ?? '')}
              onClick={() => onChange(percentOf(spendable ?? '0', percent, decimals))}
            >
              {percent === 100 ? m.ui_max() : `${percent}%`}
            </Chip>
          ))}
        </div>
      )}
      <p id={`${id}-note`} aria-live="polite" className={cx('text-label', error ? 'text-warn' : 'text-muted')}>
        {note}
      </p>
    </div>
  )
}

function Chip({
  children,
  disabled,
  onClick,
}: {
  children: React.ReactNode
  disabled?: boolean | undefined
  onClick: () => void
}) {
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onClick}
      className="min-h-11 flex-1 rounded-control bg-input text-label font-semibold text-text not-disabled:hover:bg-line disabled:font-normal disabled:opacity-45 light:bg-line"
    >
      {children}
    </button>
  )
}
