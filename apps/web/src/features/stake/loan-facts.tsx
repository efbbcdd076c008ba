import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import type { BadgeTone } from '@clearwell/ui/components/badge.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import type { ReactNode } from 'react'
import { m } from '../../generated/messages.ts'
import { InterestText } from './interest-text.tsx'
import { isOpenLoan } from './loan-danger.ts'
import { Rate } from './market-overview.tsx'
import type { Loan, LoanStatus, RepaidLoan } from './stake.queries.ts'
import { liquidationTimeWords, ltvWords, priceWords } from './stake-words.ts'

interface Fact {
  readonly label: string
  readonly value: ReactNode
}

/** Every display field of an order (specification §3). An order that has ended owes nothing and has no time to repay. */
export function loanFacts(loan: Loan): Fact[] {
  const { borrow_asset: borrow, collateral_asset: collateral } = loan
  const isOpen = isOpenLoan(loan)
  const borrowed = (amount: string) => <AmountText amount={amount} asset={borrow} />
  return [
    { label: m.stake_borrowed_amount(), value: borrowed(loan.borrowed_amount) },
    { label: m.stake_collateral_amount(), value: <AmountText amount={loan.collateral_amount} asset={collateral} /> },
    ...(isOpen ? [{ label: m.stake_ltv(), value: ltvWords(loan.ltv) }] : []),
    ...(isOpen
      ? [{ label: m.stake_interest_due(), value: <InterestText amount={loan.interest_due} asset={borrow} raises /> }]
      : []),
    ...(isOpen
      ? [{ label: m.stake_total_debt(), value: <AmountText amount={loan.total_debt} asset={borrow} raises /> }]
      : []),
    ...(isOpen ? [{ label: m.stake_rate_floating(), value: <Rate apr={loan.rate} /> }] : []),
    { label: m.stake_rate_opened(), value: <Rate apr={loan.opened_rate} /> },
    ...(loan.liquidation_price === null
      ? []
      : [{ label: m.stake_liquidation_price(), value: priceWords(loan.liquidation_price, { collateral, borrow }) }]),
    ...(isOpen
      ? [
          {
            label: m.stake_liquidation_time(),
            value:
              loan.estimated_liquidation_time === null
                ? m.stake_health_unknown()
                : loan.status === 0
                  ? m.stake_liquidation_now()
                  : liquidationTimeWords(loan.estimated_liquidation_time, loan.repayment_time),
          },
        ]
      : []),
    ...(isOpen ? [{ label: m.stake_repayment_time(), value: formatDateTime(loan.repayment_time) }] : []),
  ]
}

/** The end of an order that its owner has repaid: how much, the interest in it, and when. Of an older order only the time is known. */
export function endFacts({ status, borrow_asset: asset, ended_at, repaid, interest_paid }: Loan): Fact[] {
  if (status !== 1) return []
  return [
    ...(repaid === undefined
      ? []
      : [{ label: m.stake_repaid(), value: <AmountText amount={repaid} asset={asset} raises /> }]),
    ...(interest_paid === undefined
      ? []
      : [{ label: m.stake_interest_paid(), value: <InterestText amount={interest_paid} asset={asset} raises /> }]),
    ...(ended_at === undefined ? [] : [{ label: m.stake_repaid_at(), value: formatDateTime(ended_at) }]),
  ]
}

/** The outcome of a repayment: the amount it took first, and no borrowed amount where nothing is owed any more. */
export function repaidFacts(loan: RepaidLoan): Fact[] {
  const { paid, borrow_asset: asset } = loan
  const facts = loanFacts(loan)
  return [
    ...(paid === undefined
      ? []
      : [{ label: m.stake_paid(), value: <AmountText amount={paid} asset={asset} raises /> }]),
    ...(isOpenLoan(loan) ? facts : facts.filter(({ label }) => label !== m.stake_borrowed_amount())),
  ]
}

/** The status of an order (specification §3), with the look that the state has everywhere. */
export function loanStatus(status: LoanStatus): { readonly text: string; readonly tone: BadgeTone } {
  switch (status) {
    case 2:
      return { text: m.stake_status_normal(), tone: 'pending' }
    case 0:
      return { text: m.stake_status_to_be_cleared(), tone: 'warning' }
    case 1:
      return { text: m.stake_status_completed(), tone: 'done' }
    case -1:
      return { text: m.stake_status_liquidated(), tone: 'plain' }
  }
}
