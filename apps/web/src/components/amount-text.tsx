import { cx } from '../browser/cx.ts'
import { formatAmount } from '../i18n/format.ts'

/**
 * An amount for reading: grouped, cut (never rounded up) at `decimals` decimals, never in exponent form. The whole
 * amount is in the title.
 */
export function AmountText({
  amount,
  asset,
  decimals = 6,
  signed = false,
  className,
}: {
  /** Plain decimal text, as the API gives it. */
  amount: string
  asset?: string
  decimals?: number
  /** Shows + or −, in the colour of up or down. */
  signed?: boolean
  className?: string
}) {
  const tone = signed && !/^-?0*(\.0*)?$/.test(amount) ? (amount.startsWith('-') ? 'text-down' : 'text-up') : ''
  return (
    <span className={cx('figures whitespace-nowrap', tone, className)} title={asset ? `${amount} ${asset}` : amount}>
      {formatAmount(amount, { decimals, signed })}
      {asset && <span className="text-[0.8em] text-muted"> {asset}</span>}
    </span>
  )
}
