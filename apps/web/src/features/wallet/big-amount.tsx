import { cx } from '../../browser/cx.ts'
import { m } from '../../generated/paraglide/messages.js'
import { formatAmount } from '../../i18n/format.ts'

/** Characters that fit into a line of the narrowest phone in each size. */
const [SHORT, LONG] = [13, 22]

/** The amount that a step of a transfer is about, whole: every decimal of it, smaller where there are many. */
export function BigAmount({ way, amount, asset }: { way: 'in' | 'out'; amount: string; asset: string }) {
  const text = formatAmount(amount, { places: 18 })
  return (
    <div className="flex flex-col items-center py-2 text-center">
      <span className="text-label text-muted">{way === 'in' ? m.wallet_transfer_in() : m.wallet_transfer_out()}</span>
      <p className={cx('figures max-w-full [overflow-wrap:anywhere]', sizeOf(text.length + asset.length))}>
        {text} <span className="text-[0.7em] text-muted">{asset}</span>
      </p>
    </div>
  )
}

function sizeOf(characters: number): string {
  if (characters <= SHORT) return 'text-display'
  return characters <= LONG ? 'text-figure' : 'text-heading'
}
