import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import type { ReactNode } from 'react'
import { m } from '../../generated/messages.ts'
import type { CollateralPreview } from './collateral-preview.ts'
import { HealthMark, LtvBar } from './health-mark.tsx'
import type { Loan, MarketPool } from './stake.queries.ts'
import { priceWords } from './stake-words.ts'

/** An order before and after a change of its collateral. */
export function CollateralEffect({
  loan,
  pool,
  before,
  after,
  hasNoPrice,
}: {
  loan: Loan
  pool: MarketPool
  before: CollateralPreview | undefined
  after: CollateralPreview | undefined
  hasNoPrice: boolean
}) {
  return (
    <Card className="flex flex-col gap-3 pb-1">
      {(
        [
          [m.stake_ltv_before(), before],
          [m.stake_ltv_after(), after],
        ] as const
      ).map(([label, state]) => (
        <div key={label} className="flex flex-col gap-1">
          <div className="flex items-baseline justify-between gap-3">
            <span className="text-muted">{label}</span>
            <span className="flex items-baseline gap-3">
              {(state?.health || hasNoPrice) && <HealthMark health={state?.health} className="text-secondary" />}
              <span className="figures text-section">{state?.ltv === undefined ? '—' : formatPercent(state.ltv)}</span>
            </span>
          </div>
          <LtvBar ltv={state?.ltv ?? '0'} pool={pool} health={state?.health} />
        </div>
      ))}
      <FactList facts={effectFacts(loan, after)} />
    </Card>
  )
}

/** An order after the change, as facts. */
export function effectFacts(loan: Loan, after: CollateralPreview | undefined): { label: string; value: ReactNode }[] {
  const { collateral_asset: collateral, borrow_asset: borrow } = loan
  return [
    {
      label: m.stake_collateral_after(),
      value: <AmountText amount={after?.collateral ?? '0'} asset={collateral} />,
    },
    { label: m.stake_total_debt(), value: <AmountText amount={loan.total_debt} asset={borrow} raises /> },
    {
      label: m.stake_liquidation_price(),
      value: after?.liquidationPrice === undefined ? '—' : priceWords(after.liquidationPrice, { collateral, borrow }),
    },
  ]
}
