import { cx } from '../browser/cx.ts'
import { formatPercent } from '../i18n/format.ts'

/** How a price moved, as a percentage with its sign: the colour only repeats it. */
export function PriceChange({ fraction, className }: { fraction: string; className?: string }) {
  const still = !/[1-9]/.test(fraction)
  const tone = still ? 'text-muted' : fraction.startsWith('-') ? 'text-down' : 'text-up'
  return (
    <span className={cx('figures', tone, className)}>{formatPercent(fraction, { signed: true, fixed: true })}</span>
  )
}
