import { useCommand } from '../../api/use-command.ts'
import { Button } from '../../components/button.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { Sheet, SheetFoot } from '../../components/sheet.tsx'
import { ConfirmButton, SheetStage } from '../../components/stage-parts.tsx'
import { Success } from '../../components/success.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatAmount, formatPercent } from '../../i18n/format.ts'
import { effectFacts } from './collateral-effect.tsx'
import type { CollateralPreview } from './collateral-preview.ts'
import { loanFacts } from './loan-facts.tsx'
import type { Loan } from './stake.queries.ts'
import { amountWords, CommandProblem } from './stake-parts.tsx'

interface CollateralSheetProps {
  readonly loan: Loan
  readonly way: 'in' | 'out'
  readonly amount: string
  readonly before: CollateralPreview | undefined
  readonly after: CollateralPreview
  /** The collateral has changed: the form begins again. */
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Says in words how the collateral will change, changes it, and shows the order afterwards. */
export default function CollateralSheet({ loan, way, amount, before, after, onDone, onClose }: CollateralSheetProps) {
  const command = useCommand(way === 'in' ? 'addCollateral' : 'removeCollateral', { silent: true })
  const { collateral_asset: asset } = loan
  const title = way === 'in' ? m.title_stake_lend_add() : m.stake_take_back()
  const words = { amount: amountWords(amount, asset) }
  const finish = () => {
    onClose()
    onDone()
  }
  const ltvs = { before: percent(before?.ltv), after: percent(after.ltv) }
  return (
    <Sheet title={title} onClose={command.data ? finish : onClose} locked={command.isPending}>
      <SheetStage name={command.data ? 'done' : 'confirm'}>
        {command.data ? (
          <CollateralChanged loan={command.data} amount={amount} onClose={finish} />
        ) : (
          <>
            <p>{way === 'in' ? m.stake_add_words(words) : m.stake_take_back_words(words)}</p>
            <FactList
              facts={[{ label: m.stake_ltv(), value: `${ltvs.before} → ${ltvs.after}` }, ...effectFacts(loan, after)]}
            />
            <CommandProblem error={command.error} asset={asset} />
            <SheetFoot>
              <ConfirmButton
                confirms={`${way} ${amount}`}
                label={title}
                busy={command.isPending}
                onPress={() => command.mutate({ order_id: loan.order_id, amount })}
              />
            </SheetFoot>
          </>
        )}
      </SheetStage>
    </Sheet>
  )
}

function CollateralChanged({ loan, amount, onClose }: { loan: Loan; amount: string; onClose: () => void }) {
  return (
    <>
      <div role="status">
        <Success
          title={`${formatAmount(amount)} ${loan.collateral_asset}`}
          text={m.stake_collateral_changed({ ltv: percent(loan.ltv ?? undefined) })}
        />
      </div>
      <FactList facts={loanFacts(loan)} />
      <SheetFoot>
        <Button onClick={onClose}>{m.stake_done()}</Button>
      </SheetFoot>
    </>
  )
}

function percent(ltv: string | undefined): string {
  return ltv === undefined ? '—' : formatPercent(ltv)
}
