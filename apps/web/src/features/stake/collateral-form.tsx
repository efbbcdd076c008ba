import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import { AmountField } from '@clearwell/ui/components/amount-field.tsx'
import { type AmountProblem, amountProblem, typedUnits } from '@clearwell/ui/components/amount-input.ts'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useKeptForm } from '../../account/use-kept-form.ts'
import { PartAway } from '../../components/part-away.tsx'
import { m } from '../../generated/messages.ts'
import { CollateralEffect } from './collateral-effect.tsx'
import { previewCollateral, spareCollateral } from './collateral-preview.ts'
import { PriceNote } from './price-note.tsx'
import { type Loan, type MarketPool, useAvailable, usePairPrice } from './stake.queries.ts'
import { collateralForm } from './stake-search.ts'

const CollateralSheet = lazySheet(() => import('./collateral-sheet.tsx'))

interface CollateralFormProps {
  readonly loan: Loan
  readonly pool: MarketPool
  readonly way: 'in' | 'out'
  readonly onWayChange: (way: 'in' | 'out') => void
}

/** How much collateral to add or take back, with the ratio before and after. */
export function CollateralForm({ loan, pool, way, onWayChange }: CollateralFormProps) {
  const form = useCollateralForm({ loan, pool, way })
  const [isOpen, setOpen] = useState(false)
  const { collateral_asset: asset } = loan
  const isReady = form.problem === undefined && form.after !== undefined
  const goOn = () => {
    form.setTried(true)
    if (isReady) setOpen(true)
  }
  return (
    <Screen
      title={way === 'in' ? m.title_stake_lend_add() : m.stake_take_back()}
      action={
        <GatedButton needs="session" look={isReady ? 'main' : 'idle'} onClick={goOn}>
          {m.stake_continue()}
        </GatedButton>
      }
    >
      {way === 'in' && <PartAway part="headers" text={m.stake_headers_away} />}
      <SegmentedControl
        label={m.stake_collateral_ways()}
        options={[
          { value: 'in', label: m.stake_add() },
          { value: 'out', label: m.stake_take_back_short() },
        ]}
        value={way}
        onChange={(next) => {
          form.clear()
          onWayChange(next)
        }}
      />
      <PriceNote state={form.priceState} />
      {way === 'out' && loan.status === 0 && <Warning text={m.stake_no_take_back()} />}
      <AmountField
        label={m.stake_amount()}
        value={form.amount}
        onChange={form.setAmount}
        asset={asset}
        decimals={ASSET_DECIMALS[asset]}
        balance={form.balance}
        awaitsBalance={form.balance === undefined}
        balanceLabel={way === 'in' ? m.ui_available() : m.stake_can_take_back()}
        error={problemText(form.shown, way)}
      />
      <CollateralEffect loan={loan} pool={pool} before={form.before} after={form.after} hasNoPrice={form.hasNoPrice} />
      {isOpen && form.after && (
        <CollateralSheet
          loan={loan}
          way={way}
          amount={form.amount}
          before={form.before}
          after={form.after}
          onClose={() => setOpen(false)}
          onDone={form.clear}
        />
      )}
    </Screen>
  )
}

function useCollateralForm({ loan, pool, way }: Omit<CollateralFormProps, 'onWayChange'>) {
  const { collateral_asset: asset, borrow_asset: borrow } = loan
  const decimals = ASSET_DECIMALS[asset]
  // Of the other way the amount would be another one.
  const { fields, change, clear } = useKeptForm(collateralForm(loan.order_id), { way: 'in', amount: '' }, { way })
  const amount = fields.way === way ? fields.amount : ''
  const [tried, setTried] = useState(false)
  const available = useAvailable(asset)
  const price = usePairPrice(asset, borrow)
  const sides = price?.sides
  // Collateral is taken back only while both sources agree.
  const spare = loan.status === 2 && sides && price.state === 'fresh' ? spareCollateral(loan, pool, sides) : '0'
  const balance = way === 'in' ? available : spare
  const problem = amountProblem(amount, {
    decimals,
    balance: balance === undefined ? undefined : parseUnits(balance, decimals),
  })
  const units = typedUnits(amount, decimals) ?? 0n
  return {
    amount,
    setAmount: (next: string) => change({ way, amount: next }),
    balance,
    /** `undefined` while a price is read for the first time. */
    priceState: price?.state,
    hasNoPrice: price !== undefined && !sides,
    problem,
    shown: tried || problem === 'over_balance' ? problem : undefined,
    before: previewCollateral(loan, 0n, { pool, sides }),
    after: previewCollateral(loan, way === 'in' ? units : -units, { pool, sides }),
    setTried,
    clear() {
      clear()
      setTried(false)
    },
  }
}

function problemText(problem: AmountProblem, way: 'in' | 'out'): string | undefined {
  switch (problem) {
    case undefined:
      return undefined
    case 'missing':
      return m.stake_enter_amount()
    case 'over_balance':
      return way === 'in' ? m.stake_balance_not_enough() : m.stake_over_spare()
    default:
      return m.stake_invalid_input()
  }
}
