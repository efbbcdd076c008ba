import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { AmountField } from '@clearwell/ui/components/amount-field.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { m } from '../../generated/messages.ts'
import type { LiquidationOrder } from './liquidation.queries.ts'
import { amountText } from './liquidation-refusal.ts'
import { type AllowedAmounts, type Part, type PartProblem, partProblem, wayOf } from './liquidation-terms.ts'

/** Chooses how much of a debt to clear: all, half or an amount, as far as the order allows each. */
export function PartChoice({
  order,
  allowed,
  part,
  typed,
  onChange,
}: {
  order: LiquidationOrder
  allowed: AllowedAmounts
  part: Part
  /** The amount that was typed last, also while another part is chosen; empty until then. */
  typed: string
  onChange: (part: Part) => void
}) {
  const { range, isAllAllowed, isHalfAllowed } = allowed
  if (!range) return <p className="text-secondary text-muted">{m.liquidation_whole_only()}</p>
  const asset = order.lending_asset
  const choose = (way: string) => onChange(way === 'all' || way === 'half' ? way : { amount: typed || range.min })
  return (
    <div className="flex flex-col gap-3">
      <SegmentedControl
        label={m.liquidation_part()}
        options={[
          ...(isAllAllowed ? [{ value: 'all', label: m.liquidation_part_all() }] : []),
          ...(isHalfAllowed ? [{ value: 'half', label: m.liquidation_part_half() }] : []),
          { value: 'other', label: m.liquidation_part_other() },
        ]}
        value={wayOf(part)}
        onChange={choose}
      />
      {!isAllAllowed && (
        <p className="text-secondary text-muted">{m.liquidation_part_at_most({ max: amountText(range.max, asset) })}</p>
      )}
      {typeof part !== 'string' && (
        <AmountField
          label={m.liquidation_part_amount()}
          value={part.amount}
          onChange={(amount) => onChange({ amount })}
          asset={asset}
          decimals={ASSET_DECIMALS[asset]}
          hint={m.liquidation_part_range({ min: amountText(range.min, asset), max: amountText(range.max, asset) })}
          error={problemText(partProblem(part.amount, order, allowed), order, range)}
        />
      )}
    </div>
  )
}

function problemText(
  problem: PartProblem | undefined,
  { lending_asset: asset }: LiquidationOrder,
  { min, max }: { readonly min: string; readonly max: string },
): string | undefined {
  switch (problem) {
    case undefined:
      return undefined
    case 'under_min':
      return m.liquidation_least_part_refused({ min: amountText(min, asset) })
    case 'over_max':
      return m.liquidation_over_part_refused({ max: amountText(max, asset) })
    case 'rest':
      return m.liquidation_least_rest_refused({ min: amountText(min, asset) })
  }
}
