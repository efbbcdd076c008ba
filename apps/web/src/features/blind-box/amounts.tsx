import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { formatUsdt, listDecimals } from '@clearwell/ui/i18n/format.ts'
import { useCall } from '../../api/use-call.ts'
import { valueUsdt } from '../../components/sum-of-assets.tsx'
import type { Amounts } from './blind-box.queries.ts'
import { someAmounts } from './box-text.ts'

/** The value of a reward in USDT; `undefined` while it is hidden, has no price, or is of one asset, which says as much. */
export function useRewardValue(amounts: Amounts): string | undefined {
  const { data: pairs = [] } = useCall('pairs', {})
  const { hidden } = useHiddenAmounts()
  const some = someAmounts(amounts)
  const value = hidden || some.length < 2 ? undefined : valueUsdt(some, pairs)
  return value === undefined ? undefined : `≈ ${formatUsdt(value)}`
}

/** A reward in a row of a list: its value, whose parts the box shows, or its amounts where there is none. */
export function RewardValue({ amounts }: { amounts: Amounts }) {
  const value = useRewardValue(amounts)
  if (value === undefined) return <AmountLines amounts={amounts} />
  return (
    <span className="whitespace-nowrap">
      {value} <span className="text-muted">USDT</span>
    </span>
  )
}

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
