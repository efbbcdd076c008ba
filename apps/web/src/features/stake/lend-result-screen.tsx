import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { PendingScreen } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Success } from '@clearwell/ui/components/success.tsx'
import { formatAmount, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { Link } from '@tanstack/react-router'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { loanFacts } from './loan-facts.tsx'
import { type Loan, useLoan } from './stake.queries.ts'
import { LOAN } from './stake.samples.ts'
import { readShownLoan } from './stake-search.ts'

/** The outcome of a loan: the amount that arrived, and the order as it is now. */
export default function LendResultScreen() {
  const { order: orderId } = useReadSearch(readShownLoan)
  const { signedIn } = useAccount()
  const order = useLoan(orderId)
  if (signedIn && order.loan) return <LoanOpened loan={order.loan} />
  if (signedIn && orderId !== undefined && order.isPending)
    return (
      <PendingScreen>
        <LoanOpened loan={LOAN} />
      </PendingScreen>
    )
  return (
    <Screen title={m.title_stake_lend_result()}>
      {!signedIn ? (
        <SignedOut icon="receipt-text" title={m.stake_signed_out()} />
      ) : orderId === undefined || order.data ? (
        <EmptyState
          icon="receipt-text"
          title={m.stake_result_none()}
          text={m.stake_result_none_text()}
          action={
            <Link to="/{-$locale}/stake/lend/orders" className={buttonClass()}>
              {m.stake_to_orders()}
            </Link>
          }
        />
      ) : (
        <ErrorState error={order.error} onRetry={order.refetch} />
      )}
    </Screen>
  )
}

function LoanOpened({ loan }: { loan: Loan }) {
  return (
    <Screen
      title={m.title_stake_lend_result()}
      action={
        <div className="grid grid-cols-2 gap-2">
          <Link to="/{-$locale}/stake/lend/orders" className={buttonClass()}>
            {m.stake_to_orders()}
          </Link>
          <Link to="/{-$locale}/wallet" className={buttonClass('quiet')}>
            {m.stake_to_wallet()}
          </Link>
        </div>
      }
    >
      <div role="status">
        <Success
          title={
            <span
              className="text-total figures [overflow-wrap:anywhere]"
              title={`${loan.borrowed_amount} ${loan.borrow_asset}`}
            >
              {formatAmount(loan.borrowed_amount, { decimals: significantDecimals(loan.borrowed_amount) })}{' '}
              <span className="text-section text-muted">{loan.borrow_asset}</span>
            </span>
          }
          text={m.stake_borrowed_done()}
        />
      </div>

      <FactList facts={loanFacts(loan)} />
    </Screen>
  )
}
