import { cx } from '../browser/cx.ts'
import { HIDDEN_TEXT } from '../browser/hidden-amounts.ts'
import { m } from '../generated/messages.ts'
import { formatAmount, significantDecimals } from '../i18n/format.ts'
import { useIsHidden } from './shown-amounts.tsx'

/** The asset whose whole units are the money, so that its decimals can step back. */
const CENTS_OF = 'USDT'

/**
 * An amount for reading: grouped, cut (never rounded up, but see `raisesOut`), never in exponent form, with a muted ticker. Decimals
 * of USDT are muted; of a coin they can be worth hundreds, so its amount has one tone.
 * Six decimals are shown; an amount below one shows its first six significant digits, so it is never 0. A tap or the
 * pointer on an amount that is cut shows all of it: see `exact-amount.ts`. While the user hides amounts it shows dots, except
 * in `ShownAmounts`.
 */
export function AmountText({
  amount,
  asset,
  decimals = significantDecimals(amount),
  signed = false,
  isPublic = false,
  raisesOut = false,
  raises = false,
  className,
}: {
  /** Plain decimal text, as the API gives it. */
  amount: string
  asset?: string
  decimals?: number
  /** Shows + for money that comes in; − is always shown. Neither has a colour: green and red are for prices. */
  signed?: boolean
  /** Everyone's figure, such as a reserve or a limit. The user's own amounts can be hidden. */
  isPublic?: boolean
  /** As in {@link formatAmount}. */
  raisesOut?: boolean
  /** As in {@link formatAmount}. */
  raises?: boolean
  className?: string
}) {
  const isHidden = useIsHidden()
  if (isHidden && !isPublic)
    return (
      <span className={cx('whitespace-nowrap', className)}>
        {HIDDEN_TEXT}
        {asset && <span className="text-muted"> {asset}</span>}
      </span>
    )
  const shown = formatAmount(amount, { decimals, signed, raisesOut, raises })
  // Below one the decimals are the amount.
  const point = asset === CENTS_OF && /[1-9].*\./.test(shown) ? shown.indexOf('.') : -1
  const exact = asset ? `${amount} ${asset}` : amount
  const isCut = shown !== formatAmount(amount, { decimals: 18, signed })
  return (
    <span className={cx('figures whitespace-nowrap', className)} title={exact} data-exact={isCut ? exact : undefined}>
      <Figure text={point === -1 ? shown : shown.slice(0, point)} inWords={signed} />
      {point !== -1 && <span className="text-muted">{shown.slice(point)}</span>}
      {asset && <span className="text-muted"> {asset}</span>}
    </span>
  )
}

/** Some screen readers leave the sign of `<0.000001` out, so they get words. So does everyone beside the sign of an income. */
function Figure({ text, inWords }: { text: string; inWords: boolean }) {
  if (!text.includes('<')) return text
  const words = text.replace(/<(.*)/, (_, amount: string) => m.ui_less_than({ amount }))
  if (inWords) return words
  return (
    <>
      <span aria-hidden="true">{text}</span>
      <span className="sr-only">{words}</span>
    </>
  )
}
