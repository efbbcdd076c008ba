import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import type { Amounts } from './node.queries.ts'

/** The user's amounts of several assets, one to a line. */
export function NodeAmounts({ amounts, none = '—' }: { amounts: Amounts; none?: string }) {
  const { hidden } = useHiddenAmounts()
  const shown = amounts.filter(({ amount }) => /[1-9]/.test(amount))
  if (shown.length === 0) return <span className="text-muted">{none}</span>
  return (
    <span className="flex flex-col">
      {shown.map(({ asset, amount }) =>
        hidden ? (
          <span key={asset}>
            {HIDDEN_TEXT} {asset}
          </span>
        ) : (
          <AmountText key={asset} amount={amount} asset={asset} />
        ),
      )}
    </span>
  )
}
