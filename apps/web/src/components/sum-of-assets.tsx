import type { ResponseOf } from '@clearwell/api/routes'
import type { AssetId } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { formatUsdt, listDecimals } from '@clearwell/ui/i18n/format.ts'
import { useCall } from '../api/use-call.ts'

const DECIMALS = 18
const ONE = 10n ** BigInt(DECIMALS)

type Amounts = readonly { readonly asset: AssetId; readonly amount: string }[]

/** The user's amounts of several assets: their value in USDT first, and the parts below. */
export function SumOfAssets({
  amounts,
  none = '—',
  isTotalOnly = false,
}: {
  amounts: Amounts
  /** Shown without any amount. */
  none?: string
  /** The parts are elsewhere. */
  isTotalOnly?: boolean
}) {
  const { data: pairs = [] } = useCall('pairs', {})
  const { hidden } = useHiddenAmounts()
  const some = amounts.filter(({ amount }) => /[1-9]/.test(amount))
  if (some.length === 0) return <span className="text-muted">{none}</span>
  const total = valueUsdt(some, pairs)
  const isAlone = some.length === 1 && some[0]?.asset === 'USDT'
  if (isTotalOnly && (total === undefined || hidden || isAlone)) return null
  if (isAlone || total === undefined || hidden)
    return (
      <span className="flex flex-col">
        <Parts amounts={some} />
      </span>
    )
  return (
    <span className="flex flex-col">
      <span className="figures whitespace-nowrap">
        ≈ {formatUsdt(total)} <span className="text-muted">USDT</span>
      </span>
      {!isTotalOnly && (
        <span className="flex flex-col text-secondary font-normal text-muted">
          <Parts amounts={some} />
        </span>
      )}
    </span>
  )
}

function Parts({ amounts }: { amounts: Amounts }) {
  return amounts.map(({ asset, amount }) => (
    <AmountText key={asset} amount={amount} asset={asset} decimals={listDecimals(amount)} className="tracking-normal" />
  ))
}

/** The value of amounts at the pools' prices, rounded down; `undefined` while one of them has no price. */
export function valueUsdt(
  amounts: Amounts,
  pairs: readonly Pick<ResponseOf<'pairs'>[number], 'base' | 'quote' | 'price'>[],
): string | undefined {
  let sum = 0n
  for (const { asset, amount } of amounts) {
    const price = asset === 'USDT' ? '1' : pairs.find((pair) => pair.base === asset && pair.quote === 'USDT')?.price
    const priceE18 = price === undefined ? undefined : parseUnits(price, DECIMALS)
    if (priceE18 === undefined) return undefined
    sum += mulDiv(parseUnits(amount, DECIMALS) ?? 0n, priceE18, ONE, 'down')
  }
  return formatUnits(sum, DECIMALS)
}
