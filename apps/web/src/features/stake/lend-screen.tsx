import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import { AmountField } from '@clearwell/ui/components/amount-field.tsx'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { PendingScreen } from '@clearwell/ui/components/pending.tsx'
import { Screen, ScreenPart } from '@clearwell/ui/components/screen.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { GatedButton } from '../../account/gated-button.tsx'
import { InactiveNote } from '../../account/inactive-note.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { textOfE18 } from './lending-figures.ts'
import { LoanTerms } from './loan-terms.tsx'
import { LtvSlider } from './ltv-slider.tsx'
import { PriceNote } from './price-note.tsx'
import { RateHistory } from './rate-history.tsx'
import { type MarketPool, useStakeMarket } from './stake.queries.ts'
import { MARKET, USDT_POOL } from './stake.samples.ts'
import { OverMost } from './stake-parts.tsx'
import { type LoanDraft, readLoanDraft } from './stake-search.ts'
import { amountWords, isSome, leastText } from './stake-words.ts'
import { type LoanForm, useLoanForm } from './use-loan-form.ts'

/** Borrowing: collateral, amount, ratio and term, with everything that follows from them in sight. */
export default function LendScreen() {
  const draft = useReadSearch(readLoanDraft)
  const market = useStakeMarket()
  const [first] = market.data ?? []
  if (market.data && first)
    return <LendForm market={market.data} first={first} draft={draft} isStale={market.isError} />
  if (market.isPending)
    return (
      <PendingScreen>
        <LendForm market={MARKET} first={USDT_POOL} draft={draft} isStale={false} />
      </PendingScreen>
    )
  return (
    <Screen title={m.title_stake_lend()}>
      {market.isError ? (
        <ErrorState error={market.error} onRetry={market.refetch} />
      ) : (
        <EmptyState icon="hand-coins" title={m.stake_no_pools()} text={m.stake_no_pools_text()} />
      )}
    </Screen>
  )
}

interface LendFormProps {
  readonly market: readonly MarketPool[]
  readonly first: MarketPool
  readonly draft: LoanDraft
  readonly isStale: boolean
}

function LendForm({ market, first, draft, isStale }: LendFormProps) {
  const { signedIn } = useAccount()
  const form = useLoanForm(market, first, draft)
  const { pool, preview } = form
  const goOn = useGoOn(form)
  const instead = mostInstead(form)
  return (
    <Screen
      title={m.title_stake_lend()}
      aside={isStale && <Badge tone="warning">{m.ui_stale()}</Badge>}
      action={
        <GatedButton
          needs="activation"
          look={canGoOn(form) ? 'main' : 'idle'}
          // On a small phone the reason at the field is out of sight: the button says it, and a press takes the most.
          onClick={instead === undefined ? goOn : () => form.setBorrowText(instead)}
        >
          {instead === undefined ? m.stake_continue() : m.stake_up_to({ max: amountWords(instead, pool.asset) })}
        </GatedButton>
      }
    >
      <InactiveNote />
      {signedIn && <PriceNote state={form.priceState} />}
      <ScreenPart>
        <CollateralFields form={form} />
        <BorrowFields form={form} market={market} />
        <Card className="flex flex-col gap-4">
          <LtvSlider
            pool={pool}
            ltv={preview?.ltvE18 === undefined ? undefined : textOfE18(preview.ltvE18)}
            health={preview?.health}
            prices={form.linePrices?.map((price) => `${formatPrice(price)} ${pool.asset}`)}
            disabled={!preview || preview.maxBorrow === undefined}
            onChange={form.setRatio}
          />
        </Card>
        <div className="flex flex-col gap-2">
          <span className="text-label text-muted">{m.stake_term()}</span>
          <SegmentedControl
            label={m.stake_term()}
            options={pool.terms_days.map((days) => ({ value: String(days), label: m.stake_days({ n: String(days) }) }))}
            value={String(form.termDays)}
            onChange={(days) => form.setTerm(Number(days))}
          />
        </div>
      </ScreenPart>
      <ScreenPart>
        <LoanTerms form={form} />
        <RateHistory pool={pool} />
      </ScreenPart>
    </Screen>
  )
}

/** The terms can be confirmed. */
function canGoOn({ isReady, accountMost, preview, collateral }: LoanForm): boolean {
  return isReady && !accountMost && preview !== undefined && collateral !== undefined
}

/** The most that can be borrowed, where the amount exceeds it; `undefined` where that is less than the least loan. */
function mostInstead(form: LoanForm): string | undefined {
  const { pool, borrowProblem, accountMost } = form
  const most = overText(borrowProblem, pool) === undefined ? (accountMost ?? undefined) : mostOffered(form)
  return most === undefined || isBelow(most, pool) ? undefined : most
}

/** The most that the collateral and the pool give; without collateral, the pool alone. */
function mostOffered({ most, pool }: LoanForm): string {
  return most ?? pool.order_max
}

/** The step to the confirmation. */
function useGoOn(form: LoanForm) {
  const navigate = useNavigate()
  return async () => {
    form.setTried(true)
    if (!canGoOn(form) || form.collateral === undefined) return
    const search = {
      borrow: form.pool.asset,
      amount: form.borrowText,
      collateral: form.collateral,
      collateralAmount: form.collateralText,
      term: form.termDays,
    }
    await navigate({ to: '/{-$locale}/stake/lend/confirm', search })
  }
}

function CollateralFields({ form }: { form: LoanForm }) {
  const { collateral, collateralProblem: problem, tried } = form
  if (collateral === undefined) return null
  const shown = tried || problem === 'over_balance' ? problem : undefined
  const error =
    shown === undefined
      ? undefined
      : shown === 'over_balance'
        ? m.stake_balance_not_enough()
        : shown === 'missing'
          ? m.stake_enter_amount()
          : m.stake_invalid_input()
  return (
    <div className="flex flex-col gap-2">
      <span className="text-label text-muted">{m.stake_collateral_asset()}</span>
      <SegmentedControl
        label={m.stake_collateral_asset()}
        options={form.pool.collateral.map((asset) => ({ value: asset, label: asset }))}
        value={collateral}
        onChange={form.chooseCollateral}
      />
      <AmountField
        label={m.stake_collateral()}
        value={form.collateralText}
        onChange={form.setCollateralText}
        asset={collateral}
        decimals={ASSET_DECIMALS[collateral]}
        balance={form.available}
        awaitsBalance={form.isReading}
        error={error}
      />
      {form.available !== undefined && !isSome(form.available) && <GetCollateral asset={collateral} />}
    </div>
  )
}

/** Without the collateral nothing on this screen can be done: it leads to where the asset comes from. */
function GetCollateral({ asset }: { asset: AssetId }) {
  const kind = useConfig()?.assets.find((each) => each.asset === asset)?.kind
  // USDT is a side of every pair: it needs no choice.
  const pair = asset === 'USDT' ? {} : ({ pair: `${asset}USDT`, sell: 'USDT' } as const)
  const look = 'inline-flex min-h-11 items-center text-accent'
  return (
    <p className="flex flex-wrap items-center gap-x-4">
      <span className="text-muted">{m.stake_has_none({ coin: asset })}</span>
      {kind !== 'ledger' && (
        <Link to="/{-$locale}/wallet/buy" search={{ asset }} className={look}>
          {m.stake_get_in({ coin: asset })}
        </Link>
      )}
      <Link to="/{-$locale}/swap/exchange" search={pair} className={look}>
        {m.stake_get_swap({ coin: asset })}
      </Link>
    </p>
  )
}

function BorrowFields({ form, market }: { form: LoanForm; market: readonly MarketPool[] }) {
  const { pool, borrowProblem: problem, tried, most } = form
  const over = overText(problem, pool)
  const offered = mostOffered(form)
  const shown = over !== undefined || tried ? problem : undefined
  return (
    <div className="flex flex-col gap-2">
      {market.length > 1 && (
        <>
          <span className="text-label text-muted">{m.stake_borrow_asset()}</span>
          <SegmentedControl
            label={m.stake_borrow_asset()}
            options={market.map(({ asset }) => ({ value: asset, label: asset }))}
            value={pool.asset}
            onChange={form.chooseBorrow}
          />
        </>
      )}
      <AmountField
        label={m.stake_lend_amount()}
        value={form.borrowText}
        onChange={form.setBorrowText}
        asset={pool.asset}
        decimals={ASSET_DECIMALS[pool.asset]}
        balance={most}
        awaitsBalance={form.awaitsMost}
        balanceLabel={m.stake_most()}
        error={over === undefined ? borrowText(shown, pool) : undefined}
        hint={problem === 'under_min' ? leastText(pool.min_loan, pool.asset) : undefined}
      />
      {over !== undefined &&
        (isBelow(offered, pool) ? (
          <OverMost text={over} />
        ) : (
          <OverMost text={over} most={offered} asset={pool.asset} onTake={form.setBorrowText} />
        ))}
      {isBelow(pool.order_max, pool) && <OverMost role="note" text={tooLowText(pool)} />}
      {form.accountMost && (
        <OverMost
          text={accountText(form.accountMost, pool)}
          most={form.accountMost}
          asset={pool.asset}
          onTake={form.setBorrowText}
        />
      )}
    </div>
  )
}

function tooLowText({ asset, min_loan: min, order_max: max }: MarketPool): string {
  return m.stake_pool_too_low({ min: amountWords(min, asset), max: amountWords(max, asset) })
}

/** Returns whether an amount is less than the least loan: it cannot be offered. */
function isBelow(amount: string, { asset, min_loan: least }: MarketPool): boolean {
  const units = (text: string) => parseUnits(text, ASSET_DECIMALS[asset]) ?? 0n
  return units(amount) < units(least)
}

/** The loans of an account together have a limit, too. */
function accountText(most: string, { asset }: MarketPool): string {
  return isSome(most) ? m.stake_account_cap({ max: amountWords(most, asset) }) : m.stake_account_cap_full()
}

/** Why less can be borrowed; `undefined` where the amount itself is at fault, or nothing. */
function overText(problem: LoanForm['borrowProblem'], pool: MarketPool): string | undefined {
  switch (problem) {
    case 'exceeds_pool':
      return m.stake_exceeds_pool()
    case 'over_ratio':
      return m.stake_over_ratio()
    case 'over_order':
      return m.stake_over_order({ max: amountWords(pool.order_max, pool.asset) })
    default:
      return undefined
  }
}

function borrowText(problem: LoanForm['borrowProblem'], pool: MarketPool): string | undefined {
  switch (problem) {
    case undefined:
      return undefined
    case 'missing':
      return m.stake_enter_amount()
    case 'under_min':
      return m.stake_under_min({ min: amountWords(pool.min_loan, pool.asset) })
    default:
      return m.stake_invalid_input()
  }
}
