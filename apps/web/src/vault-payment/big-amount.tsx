import { cx } from '@clearwell/ui/browser/cx.ts'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'

/** Characters that fit in one line of the narrowest phone, in each size. */
const [SHORT, LONG] = [13, 22]

/** A payment's amount with every decimal, in smaller type where there are many. */
export function BigAmount({ label, amount, asset }: { label: string; amount: string; asset: string }) {
  const text = formatAmount(amount, { decimals: 18 })
  return (
    <div className="flex flex-col items-center py-2 text-center">
      <span className="text-label text-muted">{label}</span>
      <p className={cx('figures max-w-full [overflow-wrap:anywhere]', sizeOf(text.length + asset.length))}>
        {text} <span className="text-section text-muted">{asset}</span>
      </p>
    </div>
  )
}

function sizeOf(characters: number): string {
  if (characters <= SHORT) return 'text-amount'
  return characters <= LONG ? 'text-screen' : 'text-section'
}
