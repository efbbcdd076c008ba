import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { cutDecimals, formatUnits, parseUnits } from '@clearwell/money/decimal'
import { largestLoan } from '@clearwell/rules/loan'
import { useDebounced } from '@clearwell/ui/browser/use-debounced.ts'
import { type AmountProblem, amountProblem, typedUnits } from '@clearwell/ui/components/amount-input.ts'
import { significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { useState } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { useKeptForm } from '../../account/use-kept-form.ts'
import { limitsOf } from './lending-figures.ts'
import { linePrices, loanAtRatio, previewLoan } from './loan-preview.ts'
import {
  type LoanQuote,
  type LoanWish,
  type MarketPool,
  useAvailable,
  useLoanQuote,
  usePairPrice,
} from './stake.queries.ts'
import { LOAN_FORM, type LoanDraft } from './stake-search.ts'

/** Why an amount cannot be borrowed, beyond its form. */
type BorrowProblem = AmountProblem | 'exceeds_pool' | 'over_order' | 'over_ratio'

const DEFAULT_TERM_DAYS = 30
/** Of an amount that the slider gives. */
const SLIDER_DECIMALS = 2
/** After the last key. */
const QUOTE_PAUSE_MS = 400

/** The input of the form and everything that follows from it on this device. */
export function useLoanForm(market: readonly MarketPool[], first: MarketPool, draft: LoanDraft) {
  const { signedIn } = useAccount()
  const input = useLoanInput(market, first, draft)
  const { pool, collateral, collateralText, borrowText, termDays } = input
  const price = usePairPrice(collateral, pool.asset)
  // Nothing is borrowed on prices that differ.
  const sides = price?.state === 'fresh' ? price.sides : undefined
  const available = useAvailable(collateral)
  const [collateralDecimals, decimals] = [ASSET_DECIMALS[collateral ?? pool.asset], ASSET_DECIMALS[pool.asset]]
  const secured = positive(typedUnits(collateralText, collateralDecimals))
  const borrow = positive(typedUnits(borrowText, decimals))
  const covered = sides && secured !== undefined ? largestLoan(secured, sides.worse, limitsOf(pool)) : undefined
  const collateralProblem = amountProblem(collateralText, {
    decimals: collateralDecimals,
    balance: signedIn && available !== undefined ? parseUnits(available, collateralDecimals) : undefined,
  })
  const borrowProblem = problemOf(borrowText, { pool, decimals, covered })
  const isReady = collateralProblem === undefined && borrowProblem === undefined
  const wish = { collateral: secured, borrow, termDays }
  const preview = sides && previewLoan(wish, { pool, sides, nowMs: Date.now() })
  const quote = useSettledQuote({ form: input, isReady })
  const quoted = quote?.max_borrow == null ? undefined : parseUnits(quote.max_borrow, decimals)
  return {
    ...input,
    /** `undefined` while a price is read for the first time. */
    priceState: price?.state,
    preview,
    /** The server's terms of these amounts; `undefined` until they are known. */
    quote,
    /** The most that the account may still borrow from this pool, where that is less than the amount. */
    accountMost: quoted !== undefined && borrow !== undefined && borrow > quoted ? quote?.max_borrow : undefined,
    available: signedIn ? available : undefined,
    isReading: signedIn && available === undefined,
    isReady,
    collateralProblem,
    borrowProblem,
    /** The price of the collateral at each line of the ratio. */
    linePrices: borrow !== undefined && secured !== undefined ? linePrices(borrow, secured, pool) : undefined,
    /** The most follows once the prices arrive. */
    awaitsMost: secured !== undefined && price === undefined,
    /** The most that can be borrowed now, as plain decimal text. */
    most: preview?.maxBorrow === undefined ? undefined : formatUnits(preview.maxBorrow, decimals),
    /** Borrows as much as a ratio gives. */
    setRatio(percent: number): void {
      if (!sides || secured === undefined) return
      const amount = formatUnits(loanAtRatio(secured, sides, percent), decimals)
      input.setBorrowText(cutDecimals(amount, amount.startsWith('0.') ? significantDecimals(amount) : SLIDER_DECIMALS))
    },
  }
}

export type LoanForm = ReturnType<typeof useLoanForm>

/** The choices and amounts of the user. */
function useLoanInput(market: readonly MarketPool[], first: MarketPool, draft: LoanDraft) {
  const { fields, change } = useKeptForm<Required<LoanDraft>>(
    LOAN_FORM,
    {
      borrow: first.asset,
      amount: '',
      collateral: first.collateral[0] ?? first.asset,
      collateralAmount: '',
      term: DEFAULT_TERM_DAYS,
    },
    draft,
  )
  const { collateralAmount: collateralText, amount: borrowText, term } = fields
  const pool = market.find(({ asset }) => asset === fields.borrow) ?? first
  const collateral = pool.collateral.find((asset) => asset === fields.collateral) ?? pool.collateral[0]
  const [tried, setTried] = useState(false)
  return {
    pool,
    collateral,
    collateralText,
    borrowText,
    termDays: pool.terms_days.includes(term) ? term : (pool.terms_days[0] ?? DEFAULT_TERM_DAYS),
    tried,
    setTried,
    setTerm: (days: number) => change({ term: days }),
    setBorrowText: (amount: string) => change({ amount }),
    setCollateralText: (collateralAmount: string) => change({ collateralAmount }),
    chooseCollateral(asset: AssetId): void {
      change({ collateral: asset, collateralAmount: '' })
      setTried(false)
    },
    chooseBorrow(asset: AssetId): void {
      // The other asset of the pair becomes the collateral.
      change({ borrow: asset, amount: '', ...(asset === collateral ? { collateralAmount: '' } : {}) })
      setTried(false)
    },
  }
}

/** The server's terms of a loan once its amounts have settled: they also know the account's other loans and the past rates. */
function useSettledQuote({
  form: { pool, collateral, collateralText, borrowText, termDays },
  isReady,
}: {
  form: ReturnType<typeof useLoanInput>
  isReady: boolean
}): LoanQuote | undefined {
  const wish: LoanWish | undefined =
    isReady && collateral !== undefined
      ? { collateral, collateralAmount: collateralText, borrow: pool.asset, borrowAmount: borrowText, termDays }
      : undefined
  const key = wish && JSON.stringify(wish)
  const isSettled = useDebounced(key, QUOTE_PAUSE_MS) === key
  return useLoanQuote(isSettled ? wish : undefined).data
}

/** An amount of zero is none yet. */
function positive(units: bigint | undefined): bigint | undefined {
  return units === 0n ? undefined : units
}

function problemOf(
  text: string,
  { pool, decimals, covered }: { pool: MarketPool; decimals: number; covered: bigint | undefined },
): BorrowProblem {
  const units = parseUnits(text, decimals) ?? 0n
  if (units > (parseUnits(pool.cash, decimals) ?? 0n)) return 'exceeds_pool'
  if (covered !== undefined && units > covered) return 'over_ratio'
  if (units > (parseUnits(pool.order_max, decimals) ?? 0n)) return 'over_order'
  return amountProblem(text, { decimals, min: parseUnits(pool.min_loan, decimals) ?? 0n, balance: undefined })
}
