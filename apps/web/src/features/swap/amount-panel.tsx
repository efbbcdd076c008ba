import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { cutDecimals } from '@clearwell/money/decimal'
import { type CSSProperties, type ReactNode, type Ref, useId, useState } from 'react'
import { cx } from '../../browser/cx.ts'
import { AMOUNT_FIELD, cleanAmountInput, percentOf } from '../../components/amount-input.ts'
import { AmountText } from '../../components/amount-text.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatUsdt } from '../../i18n/format.ts'

/** Parts of the balance; the last is all of it. */
const PARTS = [25, 50, 75, 100]

interface AmountPanelProps {
  readonly label: string
  /** Whether this is the amount that was typed: it holds to the last unit, the other is worked out from it. */
  readonly isExact: boolean
  /** Plain decimal text as typed so far, such as `12.`. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly asset: AssetId
  /** Plain decimal text; `undefined` while it is not known. */
  readonly available: string | undefined
  /** What the amount is worth in USDT. */
  readonly worth: string | undefined
  readonly error?: string | undefined
  /** What helps against the error. */
  readonly way?: ReactNode
  /** Offers parts of what is available. */
  readonly hasParts?: boolean
  readonly ref?: Ref<HTMLDivElement>
  readonly inputRef?: Ref<HTMLInputElement> | undefined
}

/** One side of a swap: how much of which asset. Typing into it makes it the exact side. */
export function AmountPanel(props: AmountPanelProps) {
  const { label, isExact, value, onChange, asset, available = '', worth, error, way, hasParts = false } = props
  const { ref, inputRef } = props
  const isKnown = available !== ''
  const id = useId()
  const decimals = ASSET_DECIMALS[asset]
  const [isTooFine, setTooFine] = useState(false)
  // What was typed last is answered first, whatever else is wrong with what stands there.
  const note = isTooFine ? m.swap_too_fine({ asset, decimals }) : error

  function type(typed: string): void {
    const cleaned = cleanAmountInput(typed, decimals, value)
    // A key that makes no amount is passed over; one decimal too many is said, since it looks like one.
    const isNowTooFine = cleaned === undefined && /^[\d\s,]*[.。]\d+$/.test(typed.normalize('NFKC'))
    setTooFine(isNowTooFine)
    // What is pasted takes the place of what stood there, as far as the asset goes: the old amount must not stay behind.
    const isPasted = Math.abs(typed.length - value.length) > 1
    const pasted = isNowTooFine && isPasted ? cleanAmountInput(typed, typed.length) : undefined
    const next = pasted === undefined ? cleaned : cutDecimals(pasted, decimals)
    if (next !== undefined) onChange(next)
  }

  return (
    <div
      className={cx(
        'rounded-card border bg-card px-4 pt-3 pb-3 transition-colors focus-within:border-accent',
        note ? 'border-down' : 'border-edge/60',
      )}
    >
      <div ref={ref} className="flex flex-col gap-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-label text-muted">
          <span className="shrink-0">
            <label htmlFor={id}>{label}</label>
            {value !== '' && <span id={`${id}-kind`}> · {isExact ? m.swap_exact() : m.swap_about()}</span>}
          </span>
          {isKnown && (
            <span className="ms-auto text-end">
              {m.ui_available()} <AmountText amount={available} asset={asset} className="text-text" />
            </span>
          )}
        </div>
        <div className="flex items-center gap-3">
          <span className="@container min-w-0 flex-1">
            <input
              ref={inputRef}
              id={id}
              value={value}
              onChange={(event) => type(event.target.value)}
              onBlur={() => setTooFine(false)}
              {...AMOUNT_FIELD}
              aria-invalid={error ? true : undefined}
              aria-describedby={`${id}-kind ${id}-note`}
              // The longer the amount the smaller, so that it is read whole on the narrowest phone.
              style={{ '--digits': Math.max(1, value.length) } as CSSProperties}
              className="figures min-h-12 w-full bg-transparent font-semibold text-[length:clamp(0.75rem,calc(100cqi/(var(--digits)*0.7)),1.5rem)] leading-8 outline-none placeholder:text-muted"
            />
          </span>
          <span className="shrink-0 text-heading">{asset}</span>
        </div>
        <p
          id={`${id}-note`}
          aria-live="polite"
          className={cx('figures min-h-4 text-label', note ? 'text-down' : 'text-muted')}
        >
          <span>{note ?? (worth !== undefined && m.swap_worth({ amount: formatUsdt(worth) }))}</span>
          {error && note === error && way && <> · {way}</>}
        </p>
      </div>
      {hasParts && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row everywhere.
        <div
          role="group"
          aria-label={m.swap_parts()}
          className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(2.75rem,1fr))] gap-2"
        >
          {PARTS.map((part) => (
            <button
              key={part}
              type="button"
              disabled={!/[1-9]/.test(available)}
              onClick={() => type(percentOf(available, part, decimals))}
              className="figures min-h-11 rounded-control border border-line text-label text-muted transition-colors not-disabled:hover:border-accent not-disabled:hover:text-text disabled:opacity-45"
            >
              {part === 100 ? m.ui_max() : `${part}%`}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
