import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Card, Section } from '@clearwell/ui/components/card.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { Stat } from '@clearwell/ui/components/stat.tsx'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { useState } from 'react'
import { DemoMark } from '../../account/demo-mark.tsx'
import { m } from '../../generated/messages.ts'
import { InterestText } from './interest-text.tsx'
import { RateCurve } from './rate-curve.tsx'
import { RateFormula } from './rate-formula.tsx'
import type { MarketPool } from './stake.queries.ts'

/** The lending pools, one at a time: rates now, the curve that they follow, and who bore losses so far. */
export function MarketOverview({ market }: { market: readonly MarketPool[] }) {
  const [chosen, setChosen] = useState<AssetId>()
  const pool = market.find(({ asset }) => asset === chosen) ?? market[0]
  if (!pool) return null
  return (
    <Section title={m.stake_market()} action={<DemoMark />} className="flex flex-col">
      {market.length > 1 && (
        <div className="mb-2">
          <SegmentedControl
            label={m.stake_asset()}
            options={market.map(({ asset }) => ({ value: asset, label: asset }))}
            value={pool.asset}
            onChange={setChosen}
          />
        </div>
      )}
      <PoolCard pool={pool} />
    </Section>
  )
}

function PoolCard({ pool }: { pool: MarketPool }) {
  const { asset } = pool
  const amount = (value: string) => <AmountText isPublic amount={value} asset={asset} />
  return (
    <Card className="flex flex-col gap-4 pb-2">
      <div className="grid grid-cols-2 gap-4">
        <Stat label={m.stake_pledge_rate_current()} value={formatPercent(pool.pledge_rate)} detail={m.stake_a_year()} />
        <Stat label={m.stake_loan_rate_current()} value={formatPercent(pool.loan_rate)} detail={m.stake_a_year()} />
      </div>
      <RateCurve pool={pool} />
      <div>
        <FactList
          facts={[
            { label: m.stake_supplied(), value: amount(pool.supplied) },
            { label: m.stake_borrowed(), value: amount(pool.borrowed) },
            {
              label: m.stake_interest_owed(),
              value: <InterestText isPublic amount={interestOf(pool)} asset={asset} />,
            },
            { label: m.stake_cash(), value: amount(pool.cash) },
            { label: m.stake_utilisation(), value: formatPercent(pool.utilisation) },
            ...safetyFacts(pool),
          ]}
        />
        <div className="border-t border-line">
          <RateFormula pool={pool} />
        </div>
      </div>
    </Card>
  )
}

/** The interest that borrowers owe to the pledgers: with it, the amounts above and below add up. */
function interestOf({ asset, supplied, borrowed, cash }: MarketPool): string {
  const decimals = ASSET_DECIMALS[asset]
  const [all = 0n, lent = 0n, free = 0n] = [supplied, borrowed, cash].map((text) => parseUnits(text, decimals))
  const rest = all - lent - free
  // Debts are rounded down together, so they can be some units below what is lent.
  return formatUnits(rest > 0n ? rest : 0n, decimals)
}

/** A rate with the time that it is for. */
export function Rate({ apr }: { apr: string }) {
  return <span>{m.stake_apr({ apr: formatPercent(apr) })}</span>
}

/** The losses of a pool's pledgers so far and the known ones, and the insurance that pays first. */
export function safetyFacts(pool: MarketPool) {
  const amount = (value: string) => <AmountText isPublic amount={value} asset={pool.asset} />
  return [
    { label: m.stake_losses(), value: amount(pool.lost_by_pledgers) },
    {
      label: m.stake_known_loss(),
      value: pool.known_loss === null ? m.stake_health_unknown() : amount(pool.known_loss),
    },
    { label: m.stake_insurance(), value: amount(pool.insurance) },
  ]
}
