import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Pending, PendingScreen } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { TokenMark } from '../../components/token-mark.tsx'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { CollateralForm } from './collateral-form.tsx'
import { HealthMark, healthOfLoan } from './health-mark.tsx'
import { type Loan, type MarketPool, useOpenLoans, useStakeMarket } from './stake.queries.ts'
import { LOAN, LOANS, MARKET, USDT_POOL } from './stake.samples.ts'
import { readCollateralDraft } from './stake-search.ts'

/** Adds collateral to a loan, or takes it back. Without an order in the path, the open loans to choose from. */
export default function CollateralScreen() {
  const draft = useReadSearch(readCollateralDraft)
  const { signedIn } = useAccount()
  const market = useStakeMarket()
  const loans = useOpenLoans()
  const navigate = useNavigate()
  const loan = useChosenLoan(loans, draft.order)
  const pool = market.data?.find(({ asset }) => asset === loan?.borrow_asset)
  if (signedIn && loan && pool)
    return (
      <CollateralForm
        key={loan.order_id}
        loan={loan}
        pool={pool}
        way={draft.way ?? 'in'}
        onWayChange={(way) =>
          void navigate({
            to: '/{-$locale}/stake/lend/add',
            search: { order: loan.order_id, ...(way === 'out' ? { way } : {}) },
            replace: true,
            resetScroll: false,
          })
        }
      />
    )
  const isUnknown = (!loans.data && !loans.isError) || (!market.data && !market.isError)
  if (signedIn && draft.order !== undefined && isUnknown)
    return (
      <PendingScreen>
        <CollateralForm loan={LOAN} pool={USDT_POOL} way={draft.way ?? 'in'} onWayChange={() => {}} />
      </PendingScreen>
    )
  const failed = loans.isError && !loans.data ? loans : market.isError && !market.data ? market : undefined
  return (
    <Screen title={m.title_stake_lend_add()}>
      {!signedIn ? (
        <SignedOut icon="layers" title={m.stake_signed_out()} />
      ) : failed ? (
        <ErrorState error={failed.error} onRetry={failed.refetch} />
      ) : !loans.data || !market.data ? (
        <Pending>
          <LoanChoice loans={LOANS} market={MARKET} />
        </Pending>
      ) : loans.data.length === 0 ? (
        <EmptyState
          icon="layers"
          title={m.stake_no_loans()}
          text={m.stake_no_loans_text()}
          action={
            <Link to="/{-$locale}/stake/lend" className={buttonClass()}>
              {m.stake_borrow()}
            </Link>
          }
        />
      ) : (
        <LoanChoice loans={loans.data} market={market.data} />
      )}
    </Screen>
  )
}

/** The chosen loan. While it moves from one status to another, neither list may have it: then as it was last seen. */
function useChosenLoan(
  { data, isFetching }: ReturnType<typeof useOpenLoans>,
  id: string | undefined,
): Loan | undefined {
  const seen = useRef<Loan>(undefined)
  const found = data?.find(({ order_id }) => order_id === id)
  if (found || !isFetching) seen.current = found
  return seen.current?.order_id === id ? seen.current : undefined
}

function LoanChoice({ loans, market }: { loans: readonly Loan[]; market: readonly MarketPool[] }) {
  return (
    <>
      <p className="text-muted">{m.stake_choose_loan()}</p>
      <ul className="flex flex-col divide-y divide-line">
        {loans.map((loan) => (
          <li key={loan.order_id}>
            <Link
              to="/{-$locale}/stake/lend/add"
              search={{ order: loan.order_id }}
              replace
              className="flex min-h-16 items-center gap-3 py-2"
            >
              <TokenMark asset={loan.collateral_asset} />
              <span className="flex min-w-0 flex-1 flex-col">
                <AmountText amount={loan.collateral_amount} asset={loan.collateral_asset} className="font-semibold" />
                <span className="text-secondary text-muted">
                  {m.stake_secures()} <AmountText amount={loan.total_debt} asset={loan.borrow_asset} raises />
                </span>
              </span>
              <span className="flex shrink-0 flex-col items-end">
                <HealthMark
                  health={healthOfLoan(
                    loan,
                    market.find(({ asset }) => asset === loan.borrow_asset),
                  )}
                />
                {loan.ltv !== null && (
                  <span className="figures text-secondary text-muted">{formatPercent(loan.ltv)}</span>
                )}
              </span>
              <Icon name="chevron-right" className="text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
