import { parseUnits } from '@clearwell/money/decimal'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { ShownAmounts } from '@clearwell/ui/components/shown-amounts.tsx'
import { Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import type { ReactNode } from 'react'
import { m } from '../../generated/messages.ts'
import { InterestText } from './interest-text.tsx'
import { lossOfPledging, lossOfWithdrawing } from './known-loss.ts'
import { Rate, safetyFacts } from './market-overview.tsx'
import { yearlyIncome } from './rate-formula.tsx'
import { shownIncome, shownPledge } from './shown-income.ts'
import type { MarketPool, Pledge } from './stake.queries.ts'
import { amountWords, isSome } from './stake-words.ts'

/**
 * The user's pledge of an asset so far.
 *
 * @param added amount that the form adds. A first pledge has no estimate of nothing beside the one of this amount.
 */
export function MyPledge({ pledge, added = '' }: { pledge: Pledge; added?: string }) {
  const isFirst = !isSome(pledge.total_pledged) && isSome(added)
  const amount = (text: string) => <AmountText amount={text} asset={pledge.asset} />
  const income = (text: string, signed = false) => <InterestText amount={text} asset={pledge.asset} signed={signed} />
  return (
    <FactList
      facts={[
        { label: m.stake_total_pledged(), value: amount(shownPledge(pledge.total_pledged)) },
        { label: m.stake_withdrawable(), value: amount(shownPledge(pledge.withdrawable)) },
        ...(isSome(pledge.lost_now) ? [{ label: m.stake_lost_now(), value: amount(pledge.lost_now) }] : []),
        { label: m.stake_actual_income(), value: income(shownIncome(pledge.actual_income), true) },
        ...(isFirst ? [] : [{ label: m.stake_estimated_earnings(), value: income(pledge.estimated_earnings) }]),
      ]}
    />
  )
}

/** The rate now, and what an amount would earn in a year at it. */
export function rateFacts(pool: MarketPool, amount: string): { label: string; value: ReactNode }[] {
  const isAmount = /[1-9]/.test(amount) && parseUnits(amount, 18) !== undefined
  return [
    { label: m.stake_pledge_rate_current(), value: <Rate apr={pool.pledge_rate} /> },
    ...(isAmount
      ? [
          {
            label: m.stake_earns_year(),
            value: (
              <ShownAmounts>
                <InterestText amount={yearlyIncome(amount, pool.pledge_rate)} asset={pool.asset} />
              </ShownAmounts>
            ),
          },
        ]
      : []),
  ]
}

/** The amount that a known loss would take from a pledge that leaves immediately. Nothing where no loss is known. */
export function PledgeLossNote({ pool, amount }: { pool: MarketPool; amount: string }) {
  const loss = lossOfPledging(amount, pool)
  if (!loss) return null
  const words = { loss: amountWords(loss.amount, pool.asset), percent: formatPercent(loss.fraction) }
  return <Warning title={m.stake_known_loss_title()} text={m.stake_known_loss_in(words)} />
}

/** The amount that a withdrawal now gives up to a known loss. Nothing where no loss is known. */
export function WithdrawalLossNote({ pledge, amount }: { pledge: Pledge; amount: string }) {
  const loss = lossOfWithdrawing(amount, pledge)
  if (!loss) return null
  const words = { loss: amountWords(loss.amount, pledge.asset), percent: formatPercent(loss.fraction) }
  return <Warning title={m.stake_known_loss_title()} text={m.stake_known_loss_out(words)} />
}

/** The risk of pledging in a sentence, with the losses so far and the insurance. */
export function PledgeRisk({ pool }: { pool: MarketPool }) {
  return (
    <section aria-label={m.stake_risk()} className="rounded-card border border-warn/50 px-4 pt-3 pb-1">
      <h2 className="flex items-center gap-2 font-semibold text-warn">
        <Icon name="triangle-alert" className="size-4" />
        {m.stake_risk()}
      </h2>
      <p className="pt-1">{m.stake_risk_text()}</p>
      <p className="pt-1 text-secondary text-muted">{m.stake_risk_unknown_price()}</p>
      <FactList facts={safetyFacts(pool)} />
    </section>
  )
}
