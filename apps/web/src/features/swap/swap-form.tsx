import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { cutDecimals } from '@clearwell/money/decimal'
import { cx } from '@clearwell/ui/browser/cx.ts'
import { AMOUNT_FIELD, groupTyped, percentOf, readTypedAmount } from '@clearwell/ui/components/amount-input.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { useGroupedAmount } from '@clearwell/ui/components/use-grouped-amount.ts'
import { formatUsdt } from '@clearwell/ui/i18n/format.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { type CSSProperties, type ReactNode, type Ref, useId, useLayoutEffect, useRef, useState } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { TokenMark } from '../../components/token-mark.tsx'
import { m } from '../../generated/messages.ts'
import { shortened } from './swap-figures.ts'
import type { SwapFormState } from './use-swap-form.ts'

/** Percentages of the balance; the last is all of it. */
const BALANCE_PERCENTS = [25, 50, 75, 100]
const FLIP_MS = 200

/** The sold amount above, the bought amount below, and between them the button that flips them. */
export function SwapForm({
  form: { trade, exact, sell, buy, spendable, type, flip },
  sellError,
  buyError,
  sellInput,
  onEnter,
  onChooseToken,
}: {
  form: SwapFormState
  sellError: ReactNode
  buyError: ReactNode
  sellInput: Ref<HTMLInputElement>
  /** The Enter key in an amount. */
  onEnter: () => void
  onChooseToken: (side: 'sell' | 'buy') => void
}) {
  const { signedIn } = useAccount()
  const [top, bottom] = useFlipAnimation(trade.inverse)
  return (
    <div className="flex flex-col rounded-card bg-surface p-4 max-narrow:p-3 short:py-2">
      <AmountPanel
        {...sell}
        ref={top}
        label={m.swap_sell()}
        isExact={exact === 'in'}
        onChange={(text) => type('sell', text)}
        error={sellError}
        inputRef={sellInput}
        onEnter={onEnter}
        spendable={signedIn ? (spendable ?? '') : undefined}
        tokenLabel={m.swap_choose_sell()}
        onChooseToken={() => onChooseToken('sell')}
      />
      <div className="relative my-1 flex justify-center short:my-0">
        <span aria-hidden="true" className="absolute inset-x-0 top-1/2 h-px bg-line" />
        <button
          type="button"
          aria-label={m.swap_flip()}
          title={m.swap_flip()}
          onClick={flip}
          className="relative z-1 inline-flex size-11 items-center justify-center rounded-full bg-input text-accent hover:brightness-110"
        >
          <Icon name="arrow-up-down" />
        </button>
      </div>
      <AmountPanel
        {...buy}
        ref={bottom}
        label={m.swap_buy()}
        isExact={exact === 'out'}
        onChange={(text) => type('buy', text)}
        error={buyError}
        onEnter={onEnter}
        tokenLabel={m.swap_choose_buy()}
        onChooseToken={() => onChooseToken('buy')}
      />
    </div>
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
  readonly onEnter: () => void
  /** The balance that the percentages are of, as plain decimal text; without it there are none. */
  readonly spendable?: string | undefined
  /** The purpose of the button with the token's name. */
  readonly tokenLabel: string
  readonly onChooseToken: () => void
  readonly ref?: Ref<HTMLDivElement>
  readonly inputRef?: Ref<HTMLInputElement> | undefined
}

/** One side of a swap: an asset and its amount. Typing into it makes it the exact side. */
function AmountPanel(props: AmountPanelProps) {
  const { label, isExact, text, onChange, asset, available = '', worth, error, spendable } = props
  const id = useId()
  const decimals = ASSET_DECIMALS[asset]
  const [hasTooManyDecimals, setTooManyDecimals] = useState(false)
  // The latest key press is explained first, before any other error.
  const note = hasTooManyDecimals ? m.swap_too_fine({ asset, decimals }) : error

  function type(typed: string, before = text): void {
    const { text: next, hasTooManyDecimals } = readTyped(typed, { decimals, before })
    setTooManyDecimals(hasTooManyDecimals)
    if (next !== undefined) onChange(next)
  }

  return (
    <div ref={props.ref} className="flex flex-col gap-1">
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
      {/* Where both do not fit, the token has a row for itself. */}
      <div className="flex flex-wrap items-center gap-x-3">
        <AmountInput
          id={id}
          text={text}
          decimals={decimals}
          isExact={isExact}
          inputRef={props.inputRef}
          isInvalid={Boolean(error)}
          onType={type}
          onEnter={props.onEnter}
          onLeave={() => setTooManyDecimals(false)}
        />
        <TokenChip asset={asset} label={props.tokenLabel} onClick={props.onChooseToken} />
      </div>
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={cx('figures min-h-4 text-label', note ? 'text-warn' : 'text-muted')}
      >
        {note ?? <span>{worth !== undefined && m.swap_worth({ amount: formatUsdt(worth) })}</span>}
      </p>
      {spendable !== undefined && (
        <PercentButtons
          disabled={!/[1-9]/.test(spendable)}
          onChoose={(percent) => type(percentOf(spendable, percent, decimals))}
        />
      )}
    </div>
  )
}

/** The amount. A long one is shortened for reading; the focus shows it to the last unit. */
function AmountInput({
  id,
  text,
  decimals,
  isExact,
  isInvalid,
  inputRef,
  onType,
  onEnter,
  onLeave,
}: {
  id: string
  text: string
  decimals: number
  isExact: boolean
  isInvalid: boolean
  inputRef: Ref<HTMLInputElement> | undefined
  onType: (typed: string, before: string) => void
  onEnter: () => void
  onLeave: () => void
}) {
  const [hasFocus, setFocus] = useState(false)
  const grouped = useGroupedAmount(text, decimals)
  const shown = isExact && !hasFocus && text !== '' ? groupTyped(shortened(text)) : grouped.shown
  return (
    <span className="@container min-w-24 flex-1">
      <input
        ref={inputRef}
        id={id}
        value={shown}
        title={shown === grouped.shown ? undefined : grouped.shown}
        onChange={({ target }) => {
          grouped.note(target, shown)
          onType(target.value, shown)
        }}
        onKeyDown={({ key }) => key === 'Enter' && onEnter()}
        onFocus={() => setFocus(true)}
        onBlur={() => {
          setFocus(false)
          grouped.settle()
          onLeave()
        }}
        {...AMOUNT_FIELD}
        aria-invalid={isInvalid ? true : undefined}
        aria-describedby={`${id}-kind ${id}-note`}
        // Longer amounts get a smaller font, so that the narrowest phone shows them whole.
        style={{ '--digits': Math.max(1, shown.length) } as CSSProperties}
        className="figures min-h-12 w-full short:min-h-11 bg-transparent font-semibold fit-digits leading-9 outline-none placeholder:text-muted"
      />
    </span>
  )
}

/** The token of a side; a press chooses another. */
function TokenChip({ asset, label, onClick }: { asset: AssetId; label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={`${asset} ${label}`}
      onClick={onClick}
      className="inline-flex min-h-11 shrink-0 items-center gap-2 rounded-full bg-input ps-2 pe-3 text-section hover:brightness-110"
    >
      <TokenMark asset={asset} className="size-7" />
      {asset}
      <Icon name="chevron-right" className="size-4 rotate-90 text-muted" />
    </button>
  )
}

function PercentButtons({ disabled, onChoose }: { disabled: boolean; onChoose: (percent: number) => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row everywhere.
    <div role="group" aria-label={m.swap_parts()} className="grid grid-fit-11 gap-2">
      {BALANCE_PERCENTS.map((percent) => (
        <button
          key={percent}
          type="button"
          disabled={disabled}
          onClick={() => onChoose(percent)}
          className="figures min-h-11 rounded-control bg-input text-label font-semibold text-text not-disabled:hover:bg-line disabled:font-normal disabled:opacity-45 light:bg-line"
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
  const next = readTypedAmount(typed, decimals, before)
  const hasTooManyDecimals = next === undefined && /^[\d\s,]*[.。]\d+$/.test(typed.normalize('NFKC'))
  // Pasted text replaces the old amount, cut to the decimals of the asset: the old amount must not stay.
  const isPasted = Math.abs(typed.length - before.length) > 1
  const pasted = hasTooManyDecimals && isPasted ? readTypedAmount(typed, typed.length) : undefined
  return { text: pasted === undefined ? next?.value : cutDecimals(pasted.value, decimals), hasTooManyDecimals }
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
