import { cx } from '../browser/cx.ts'
import { formatChange } from '../i18n/format.ts'

/** How a price moved, as a percentage with its sign: the colour only repeats it. */
export function PriceChange({ fraction, className }: { fraction: string; className?: string }) {
  const text = formatChange(fraction)
  const tone = !/[1-9]/.test(text) ? 'text-muted' : fraction.startsWith('-') ? 'text-down' : 'text-up'
  return <span className={cx('figures', tone, className)}>{text}</span>
}
