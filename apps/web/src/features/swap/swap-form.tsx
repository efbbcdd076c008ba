import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { cutDecimals } from '@clearwell/money/decimal'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, type ReactNode, type Ref, useId, useLayoutEffect, useRef, useState } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { cx } from '../../browser/cx.ts'
import { AMOUNT_FIELD, cleanAmountInput, percentOf } from '../../components/amount-input.ts'
import { AmountText } from '../../components/amount-text.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatUsdt } from '../../i18n/format.ts'
import { Icon } from '../../icons/icon.tsx'
import type { SwapFormState } from './use-swap-form.ts'

/** Percentages of the balance; the last is all of it. */
const BALANCE_PERCENTS = [25, 50, 75, 100]
const FLIP_MS = 200

/** The sold amount above, the bought amount below, and between them the button that flips them. */
export function SwapForm({
  form: { trade, exact, sell, buy, type, flip },
  sellError,
  buyError,
  sellInput,
}: {
  form: SwapFormState
  sellError: ReactNode
  buyError: ReactNode
  sellInput: Ref<HTMLInputElement>
}) {
  const { signedIn } = useAccount()
  const [top, bottom] = useFlipAnimation(trade.inverse)
  return (
    <div className="flex flex-col">
      <AmountPanel
        {...sell}
        ref={top}
        label={m.swap_sell()}
        isExact={exact === 'in'}
        onChange={(text) => type('sell', text)}
        error={sellError}
        inputRef={sellInput}
        offersPercents={signedIn}
      />
      <button
        type="button"
        aria-label={m.swap_flip()}
        title={m.swap_flip()}
        onClick={flip}
        className="relative z-1 mx-auto -my-3 inline-flex size-11 items-center justify-center rounded-full border border-line bg-surface text-accent transition-colors hover:border-accent"
      >
        <Icon name="arrow-up-down" />
      </button>
      <AmountPanel
        {...buy}
        ref={bottom}
        label={m.swap_buy()}
        isExact={exact === 'out'}
        onChange={(text) => type('buy', text)}
        error={buyError}
      />
    </div>
  )
}

/** The link that helps where the balance is too low. RT cannot be transferred in: it is earned and bought here. */
export function TransferInLink({ asset }: { asset: AssetId }) {
  return (
    <Link
      to="/{-$locale}/wallet/buy"
      search={{ asset }}
      className="-my-2 inline-block py-2 text-accent underline underline-offset-4"
    >
      {m.swap_transfer_in()}
    </Link>
  )
}

interface AmountPanelProps {
  readonly label: string
  /** `true` for the typed amount, which is exact. The other amount is calculated from it. */
  readonly isExact: boolean
  /** Plain decimal text as typed so far, such as `12.`. */
  readonly text: string
  readonly onChange: (text: string) => void
  readonly asset: AssetId
  /** Plain decimal text; `undefined` while it is not known. */
  readonly available: string | undefined
  /** The amount's value in USDT. */
  readonly worth: string | undefined
  readonly error?: ReactNode
  /** Offers percentages of the available balance. */
  readonly offersPercents?: boolean
  readonly ref?: Ref<HTMLDivElement>
  readonly inputRef?: Ref<HTMLInputElement> | undefined
}

/** One side of a swap: an asset and its amount. Typing into it makes it the exact side. */
function AmountPanel(props: AmountPanelProps) {
  const { label, isExact, text, onChange, asset, available = '', worth, error, offersPercents = false } = props
  const { ref, inputRef } = props
  const id = useId()
  const decimals = ASSET_DECIMALS[asset]
  const [hasTooManyDecimals, setTooManyDecimals] = useState(false)
  // The latest key press is explained first, before any other error.
  const note = hasTooManyDecimals ? m.swap_too_fine({ asset, decimals }) : error

  function type(typed: string): void {
    const { text: next, hasTooManyDecimals } = readTyped(typed, { decimals, before: text })
    setTooManyDecimals(hasTooManyDecimals)
    if (next !== undefined) onChange(next)
  }

  return (
    <div
      className={cx(
        'rounded-card border bg-surface px-4 pt-3 pb-3 transition-colors focus-within:border-accent',
        note ? 'border-warn' : 'border-line',
      )}
    >
      <div ref={ref} className="flex flex-col gap-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-label text-muted">
          <span className="shrink-0">
            <label htmlFor={id}>{label}</label>
            {text !== '' && <span id={`${id}-kind`}> · {isExact ? m.swap_exact() : m.swap_about()}</span>}
          </span>
          {available !== '' && (
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
              value={text}
              onChange={(event) => type(event.target.value)}
              onBlur={() => setTooManyDecimals(false)}
              {...AMOUNT_FIELD}
              aria-invalid={error ? true : undefined}
              aria-describedby={`${id}-kind ${id}-note`}
              // Longer amounts get a smaller font, so that the narrowest phone shows them whole.
              style={{ '--digits': Math.max(1, text.length) } as CSSProperties}
              className="figures min-h-12 w-full bg-transparent font-semibold text-[length:clamp(0.75rem,calc(100cqi/(var(--digits)*0.7)),1.5rem)] leading-8 outline-none placeholder:text-muted"
            />
          </span>
          <span className="shrink-0 text-section">{asset}</span>
        </div>
        <p
          id={`${id}-note`}
          aria-live="polite"
          className={cx('figures min-h-4 text-label', note ? 'text-warn' : 'text-muted')}
        >
          {note ?? <span>{worth !== undefined && m.swap_worth({ amount: formatUsdt(worth) })}</span>}
        </p>
      </div>
      {offersPercents && (
        <PercentButtons
          disabled={!/[1-9]/.test(available)}
          onChoose={(percent) => type(percentOf(available, percent, decimals))}
        />
      )}
    </div>
  )
}

function PercentButtons({ disabled, onChoose }: { disabled: boolean; onChoose: (percent: number) => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row everywhere.
    <div
      role="group"
      aria-label={m.swap_parts()}
      className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(2.75rem,1fr))] gap-2"
    >
      {BALANCE_PERCENTS.map((percent) => (
        <button
          key={percent}
          type="button"
          disabled={disabled}
          onClick={() => onChoose(percent)}
          className="figures min-h-11 rounded-control border border-line text-label text-muted transition-colors not-disabled:hover:border-accent not-disabled:hover:text-text disabled:opacity-45"
        >
          {percent === 100 ? m.ui_max() : `${percent}%`}
        </button>
      ))}
    </div>
  )
}

/**
 * Reads the amount from typed text; `text` is `undefined` where the field keeps its content. One decimal too many
 * looks like an amount, so it is an error; any other key that makes no amount is ignored.
 */
function readTyped(typed: string, { decimals, before }: { decimals: number; before: string }) {
  const cleaned = cleanAmountInput(typed, decimals, before)
  const hasTooManyDecimals = cleaned === undefined && /^[\d\s,]*[.。]\d+$/.test(typed.normalize('NFKC'))
  // Pasted text replaces the old amount, cut to the decimals of the asset: the old amount must not stay.
  const isPasted = Math.abs(typed.length - before.length) > 1
  const pasted = hasTooManyDecimals && isPasted ? cleanAmountInput(typed, typed.length) : undefined
  return { text: pasted === undefined ? cleaned : cutDecimals(pasted, decimals), hasTooManyDecimals }
}

/** Animates both sides to their new position after a flip, except under reduced motion. */
function useFlipAnimation(isFlipped: boolean) {
  const top = useRef<HTMLDivElement>(null)
  const bottom = useRef<HTMLDivElement>(null)
  const before = useRef(isFlipped)
  useLayoutEffect(() => {
    if (before.current === isFlipped) return
    before.current = isFlipped
    if (!top.current || !bottom.current || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const distance = bottom.current.getBoundingClientRect().top - top.current.getBoundingClientRect().top
    for (const [panel, from] of [
      [top.current, distance],
      [bottom.current, -distance],
    ] as const)
      panel.animate(
        [
          { transform: `translateY(${from}px)`, opacity: 0.4 },
          { transform: 'none', opacity: 1 },
        ],
        { duration: FLIP_MS, easing: 'cubic-bezier(0.22, 1, 0.36, 1)' },
      )
  }, [isFlipped])
  return [top, bottom] as const
}
