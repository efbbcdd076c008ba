import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { PendingScreen } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { ShownAmounts } from '@clearwell/ui/components/shown-amounts.tsx'
import { Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime, formatTime } from '@clearwell/ui/i18n/format-date.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { GatedButton } from '../../account/gated-button.tsx'
import { SignedOut } from '../../account/signed-out.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { BigAmount } from '../../vault-payment/big-amount.tsx'
import { InterestText } from './interest-text.tsx'
import { Rate } from './market-overview.tsx'
import { type LoanQuote, type LoanWish, useLoanQuote } from './stake.queries.ts'
import { QUOTE } from './stake.samples.ts'
import { OverMost, StakeProblem } from './stake-parts.tsx'
import { mostOf, refusedText } from './stake-refusal.ts'
import { LOAN_FORM, type LoanDraft, readLoanDraft } from './stake-search.ts'
import { amountWords, ltvWords, priceWords, rateWords } from './stake-words.ts'

/** The second step of a loan: its terms in words, as the server quotes them now. */
export default function LendConfirmScreen() {
  const draft = useReadSearch(readLoanDraft)
  const { signedIn } = useAccount()
  const wish = wishOf(draft)
  const quote = useLoanQuote(wish)
  if (signedIn && wish && quote.data)
    return <ConfirmLoan key={wish.borrowAmount} wish={wish} quote={quote.data} isStale={quote.isError} />
  if (signedIn && wish && !quote.isError)
    return (
      <PendingScreen>
        <ConfirmLoan wish={wish} quote={QUOTE} isStale={false} />
      </PendingScreen>
    )
  return (
    <Screen title={m.title_stake_lend_confirm()}>
      {!wish ? (
        <EmptyState
          icon="hand-coins"
          title={m.stake_confirm_nothing()}
          action={
            <Link to="/{-$locale}/stake/lend" className={buttonClass()}>
              {m.stake_borrow()}
            </Link>
          }
        />
      ) : !signedIn ? (
        <SignedOut icon="hand-coins" title={m.stake_signed_out_terms()} />
      ) : (
        <ErrorState error={quote.error} onRetry={quote.refetch} />
      )}
    </Screen>
  )
}

function ConfirmLoan({ wish, quote, isStale }: { wish: LoanWish; quote: LoanQuote; isStale: boolean }) {
  const { collateral, borrow } = wish
  const { command, confirm, take } = useConfirmLoan(wish, quote)
  const most = mostOf(command.error)
  return (
    <Screen
      title={m.title_stake_lend_confirm()}
      aside={isStale && <Badge tone="warning">{m.ui_stale()}</Badge>}
      action={
        <div className="flex flex-col gap-3">
          {most === undefined || !command.error ? (
            <StakeProblem error={command.error} asset={borrow} />
          ) : (
            <OverMost text={refusedText(command.error, borrow)} most={most} asset={borrow} onTake={take} />
          )}
          <GatedButton needs="activation" busy={command.isPending} onClick={confirm}>
            {m.stake_borrow()}
          </GatedButton>
        </div>
      }
    >
      <BigAmount label={m.stake_borrow()} amount={wish.borrowAmount} asset={borrow} />
      {/* First what can cost the collateral, in sight on a small phone while the button can be pressed. */}
      <FactList facts={dangerFacts(wish, quote)} />
      <Warning
        title={m.stake_liquidation_risk()}
        text={m.stake_liquidation_words({
          price: quote.liquidation_price === null ? '—' : priceWords(quote.liquidation_price, { collateral, borrow }),
          time: formatDateTime(quote.repayment_time),
        })}
      />
      <p>
        {m.stake_loan_words({
          collateral: amountWords(wish.collateralAmount, collateral),
          amount: amountWords(wish.borrowAmount, borrow),
          n: String(wish.termDays),
          apr: formatPercent(quote.rate),
        })}
      </p>

      <p className="text-muted">{rateWords(quote.rate, quote.rate_target)}</p>
      <ShownAmounts>
        <FactList facts={termFacts(wish, quote)} />
      </ShownAmounts>
    </Screen>
  )
}

/** One press opens the loan at the rate that is shown, or none. */
function useConfirmLoan(wish: LoanWish, quote: LoanQuote) {
  const navigate = useNavigate()
  const command = useCommand('lend', { silent: true, form: LOAN_FORM })
  const draft = {
    borrow: wish.borrow,
    amount: wish.borrowAmount,
    collateral: wish.collateral,
    collateralAmount: wish.collateralAmount,
    term: wish.termDays,
  }
  const confirm = () =>
    command.mutate(
      {
        collateral_asset: wish.collateral,
        collateral_amount: wish.collateralAmount,
        borrow_asset: wish.borrow,
        borrow_amount: wish.borrowAmount,
        term_days: wish.termDays,
        max_rate: quote.rate,
      },
      {
        onSuccess: ({ order_id: order }) =>
          void navigate({ to: '/{-$locale}/stake/lend/result', search: { order }, replace: true }),
      },
    )
  // Another amount is another confirmation.
  const take = (amount: string) =>
    void navigate({ to: '/{-$locale}/stake/lend/confirm', search: { ...draft, amount }, replace: true })
  return { command, confirm, take }
}

/** When the collateral can be lost: at which price, and by when to repay. */
function dangerFacts({ collateral, borrow }: LoanWish, quote: LoanQuote) {
  return [
    ...(quote.liquidation_price === null
      ? []
      : [{ label: m.stake_liquidation_price(), value: priceWords(quote.liquidation_price, { collateral, borrow }) }]),
    { label: m.stake_repayment_time(), value: formatDateTime(quote.repayment_time) },
  ]
}

function termFacts({ collateral, collateralAmount, borrow }: LoanWish, quote: LoanQuote) {
  const borrowed = (label: string, amount: string | null) =>
    amount === null ? [] : [{ label, value: <InterestText amount={amount} asset={borrow} raises /> }]
  return [
    { label: m.stake_collateral(), value: <AmountText amount={collateralAmount} asset={collateral} /> },
    { label: m.stake_ltv(), value: ltvWords(quote.ltv) },
    { label: m.stake_rate_with_loan(), value: <Rate apr={quote.rate} /> },
    ...borrowed(m.stake_cost_last_30_days(), quote.interest_last_30_days),
    ...borrowed(m.stake_interest_whole(), quote.interest_at_term),
    { label: m.stake_price_time(), value: formatTime(quote.price_time) },
  ]
}

/** A draft can be confirmed if it names everything, and amounts above zero. */
function wishOf({ borrow, amount, collateral, collateralAmount, term }: LoanDraft): LoanWish | undefined {
  if (borrow === undefined || amount === undefined || collateral === undefined) return undefined
  if (collateralAmount === undefined || term === undefined) return undefined
  if (!/[1-9]/.test(amount) || !/[1-9]/.test(collateralAmount)) return undefined
  return { borrow, borrowAmount: amount, collateral, collateralAmount, termDays: term }
}
