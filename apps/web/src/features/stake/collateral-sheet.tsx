import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Success } from '@clearwell/ui/components/success.tsx'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { CommandSheet } from '../../account/command-sheet.tsx'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { effectFacts } from './collateral-effect.tsx'
import type { CollateralPreview } from './collateral-preview.ts'
import { loanFacts } from './loan-facts.tsx'
import type { Loan } from './stake.queries.ts'
import { refusedText } from './stake-refusal.ts'
import { collateralForm } from './stake-search.ts'
import { amountWords } from './stake-words.ts'

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
  const command = useCommand(way === 'in' ? 'addCollateral' : 'removeCollateral', {
    silent: true,
    form: collateralForm(loan.order_id),
  })
  const { collateral_asset: asset } = loan
  const title = way === 'in' ? m.title_stake_lend_add() : m.stake_take_back()
  const words = { amount: amountWords(amount, asset) }
  const finish = () => {
    onClose()
    onDone()
  }
  const ltvs = { before: percent(before?.ltv), after: percent(after.ltv) }
  return (
    <CommandSheet
      title={title}
      command={command}
      explain={(error) => refusedText(error, asset)}
      label={title}
      confirms={`${way} ${amount}`}
      onConfirm={() => command.mutate({ order_id: loan.order_id, amount }, { facts: { asset } })}
      onClose={command.data ? finish : onClose}
      done={
        command.data && (
          <Success
            title={amountWords(amount, asset)}
            text={m.stake_collateral_changed({ ltv: percent(command.data.ltv ?? undefined) })}
          />
        )
      }
      doneFacts={command.data && <FactList facts={loanFacts(command.data)} />}
    >
      <p>{way === 'in' ? m.stake_add_words(words) : m.stake_take_back_words(words)}</p>
      <FactList
        facts={[{ label: m.stake_ltv(), value: `${ltvs.before} → ${ltvs.after}` }, ...effectFacts(loan, after)]}
      />
    </CommandSheet>
  )
}

function percent(ltv: string | undefined): string {
  return ltv === undefined ? '—' : formatPercent(ltv)
}
