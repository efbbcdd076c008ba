import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { AmountField } from '@clearwell/ui/components/amount-field.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { useAccount } from '../../account/use-account.ts'
import { m } from '../../generated/messages.ts'
import type { TradeForm } from './use-trade-form.ts'

/** The pair, the side and the amount of a new plan. */
export function TradeFields({
  form: { pairs, trade, sold, amount, available, typeAmount, choosePair, chooseSide },
  label,
  error,
  hint,
}: {
  form: TradeForm
  /** Names the amount. */
  label: string
  error: string | undefined
  hint: string
}) {
  const { signedIn } = useAccount()
  const { base } = trade.pair
  return (
    <>
      <SegmentedControl
        label={m.plan_pair()}
        options={pairs.map((pair) => ({ value: pair.symbol, label: `${pair.base}/${pair.quote}` }))}
        value={trade.pair.symbol}
        onChange={choosePair}
      />
      <SegmentedControl
        label={m.plan_side()}
        options={[
          { value: 'sell', label: m.plan_sell_side({ asset: base }) },
          { value: 'buy', label: m.plan_buy_side({ asset: base }) },
        ]}
        value={trade.inverse ? 'buy' : 'sell'}
        onChange={chooseSide}
      />
      <AmountField
        label={label}
        value={amount}
        onChange={typeAmount}
        asset={sold}
        decimals={ASSET_DECIMALS[sold]}
        balance={available}
        awaitsBalance={signedIn && available === undefined}
        error={error}
        hint={hint}
      />
    </>
  )
}
