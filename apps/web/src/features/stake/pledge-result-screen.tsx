import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Success } from '@clearwell/ui/components/success.tsx'
import { formatAmount, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { Link } from '@tanstack/react-router'
import { m } from '../../generated/messages.ts'
import { InterestText } from './interest-text.tsx'
import { usePledgeOutcome } from './pledge-outcome.ts'
import { shownIncome, shownPledge } from './shown-income.ts'

/** The outcome of a pledge or a withdrawal, and where the funds are now. */
export default function PledgeResultScreen() {
  const outcome = usePledgeOutcome()
  if (!outcome)
    return (
      <Screen title={m.title_stake_pledge_result()}>
        <EmptyState
          icon="coins"
          title={m.stake_result_none()}
          text={m.stake_result_none_text()}
          action={
            <Link to="/{-$locale}/stake" className={buttonClass()}>
              {m.stake_to_overview()}
            </Link>
          }
        />
      </Screen>
    )
  const { way, asset, amount, position } = outcome
  return (
    <Screen
      title={m.title_stake_pledge_result()}
      action={
        <div className="grid grid-cols-2 gap-2">
          <Link to="/{-$locale}/stake" className={buttonClass()}>
            {m.stake_to_overview()}
          </Link>
          <Link to="/{-$locale}/wallet/logs" className={buttonClass('quiet')}>
            {m.stake_to_log()}
          </Link>
        </div>
      }
    >
      <div role="status">
        <Success
          title={
            <span className="text-total figures [overflow-wrap:anywhere]" title={`${amount} ${asset}`}>
              {formatAmount(amount, { decimals: significantDecimals(amount) })}{' '}
              <span className="text-section text-muted">{asset}</span>
            </span>
          }
          text={way === 'in' ? m.stake_pledged_done() : m.stake_withdrawn_done()}
        />
      </div>

      <FactList
        facts={[
          {
            label: m.stake_total_pledged(),
            value: <AmountText amount={shownPledge(position.total_pledged)} asset={asset} />,
          },
          {
            label: m.stake_actual_income(),
            value: <InterestText amount={shownIncome(position.actual_income)} asset={asset} signed />,
          },
        ]}
      />
    </Screen>
  )
}
