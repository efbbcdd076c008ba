import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { listDecimals } from '@clearwell/ui/i18n/format.ts'
import type { Amounts } from './blind-box.queries.ts'
import { someAmounts } from './box-text.ts'

/** Amounts of several assets, one to a line; a dash without any. Own rewards hide with the user's other amounts. */
export function AmountLines({
  amounts,
  signed = false,
  isOwn = true,
  className,
}: {
  amounts: Amounts
  signed?: boolean
  isOwn?: boolean
  className?: string
}) {
  const { hidden } = useHiddenAmounts()
  const shown = someAmounts(amounts)
  if (shown.length === 0) return <span className="text-muted">—</span>
  return (
    <span className="flex flex-col">
      {shown.map(({ asset, amount }) =>
        hidden && isOwn ? (
          <span key={asset}>
            {HIDDEN_TEXT} {asset}
          </span>
        ) : (
          <AmountText
            key={asset}
            isPublic={!isOwn}
            amount={amount}
            {...(isOwn ? { decimals: listDecimals(amount) } : {})}
            asset={asset}
            signed={signed}
            {...(className ? { className } : {})}
          />
        ),
      )}
    </span>
  )
}
