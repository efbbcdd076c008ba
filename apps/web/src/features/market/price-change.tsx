import { cx } from '../../ui/cx.ts'
import { formatPercent } from '../../ui/format.ts'

/** How a price moved, as a percentage in the colour of its direction. */
export function PriceChange({ fraction, className }: { fraction: string; className?: string }) {
  const still = !/[1-9]/.test(fraction)
  const tone = still ? 'text-muted' : fraction.startsWith('-') ? 'text-down' : 'text-up'
  return <span className={cx('figures', tone, className)}>{formatPercent(fraction, { signed: true })}</span>
}
