import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { Line } from '@clearwell/ui/components/line.tsx'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { Link } from '@tanstack/react-router'
import { useCall } from '../../api/use-call.ts'
import type { ListItem } from '../../api/use-list-call.ts'
import { TokenMark } from '../../components/token-mark.tsx'
import { HealthMark, healthOfLoan } from '../../features/stake/health-mark.tsx'
import { InterestText } from '../../features/stake/interest-text.tsx'
import { byDanger } from '../../features/stake/loan-danger.ts'
import { shownIncome, shownPledge } from '../../features/stake/shown-income.ts'
import { type MarketPool, type Pledge, useOpenLoans, usePledges } from '../../features/stake/stake.queries.ts'
import { m } from '../../generated/messages.ts'
import { limitText } from './limit-text.ts'

type Loan = ListItem<'stakeOrders'>

/** Loans that home shows; the rest is one link away. */
const LOANS_SHOWN = 3

/** The user's loans and pledges at a glance, those in the greatest danger first. Nothing for a user without either. */
export function StakePositions() {
  const loans = useOpenLoans().data ?? []
  const { data: market = [] } = useCall('stakeMarket', {})
  const pledges = (usePledges().data ?? []).filter(({ total_pledged: total }) => /[1-9]/.test(total))
  if (loans.length === 0 && pledges.length === 0) return null
  const poolOf = (loan: Loan) => market.find(({ asset }) => asset === loan.borrow_asset)
  const more = loans.length - LOANS_SHOWN
  return (
    <Section
      title={m.positions_title()}
      action={
        <Link to="/{-$locale}/stake" className="inline-flex min-h-11 items-center font-semibold text-accent">
          {m.positions_all()}
        </Link>
      }
    >
      <ul className="-mt-2 flex flex-col divide-y divide-line">
        {byDanger(loans, market, Date.now())
          .slice(0, LOANS_SHOWN)
          .map((loan) => (
            <li key={loan.order_id}>
              <LoanRow loan={loan} pool={poolOf(loan)} />
            </li>
          ))}
        {more > 0 && <li className="py-2 text-secondary text-muted">{m.positions_more({ n: more })}</li>}
        {pledges.map((pledge) => (
          <li key={pledge.asset}>
            <PledgeRow pledge={pledge} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function LoanRow({ loan, pool }: { loan: Loan; pool: MarketPool | undefined }) {
  const { borrow_asset: asset, total_debt: debt, ltv } = loan
  return (
    <Link
      to="/{-$locale}/stake/lend/orders"
      search={{ status: loan.status }}
      className="flex min-h-16 items-center gap-3 py-2"
    >
      <TokenMark asset={asset} />
      <span className="flex min-w-0 flex-1 flex-col">
        <Line start={m.positions_loan({ asset })} end={<AmountText amount={debt} asset={asset} raises />} />
        <Line
          start={<HealthMark health={healthOfLoan(loan, pool)} className="text-secondary" />}
          end={
            ltv !== null && (
              <span className="text-secondary text-muted">{m.positions_ltv({ ltv: formatPercent(ltv) })}</span>
            )
          }
        />
        <span className="figures text-label text-muted">{limitText(loan, pool)}</span>
      </span>
    </Link>
  )
}

function PledgeRow({ pledge: { asset, total_pledged, actual_income } }: { pledge: Pledge }) {
  return (
    <Link to="/{-$locale}/stake" className="flex min-h-16 items-center gap-3 py-2">
      <TokenMark asset={asset} />
      <span className="flex min-w-0 flex-1 flex-col">
        <Line
          start={m.positions_pledged({ asset })}
          end={<AmountText amount={shownPledge(total_pledged)} asset={asset} />}
        />
        <Line
          start={<span className="text-secondary text-muted">{m.positions_income()}</span>}
          end={
            <span className="text-secondary text-muted">
              <InterestText amount={shownIncome(actual_income)} asset={asset} signed />
            </span>
          }
        />
      </span>
    </Link>
  )
}
