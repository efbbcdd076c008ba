import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { cutDecimals, formatUnits, parseUnits } from '@clearwell/money/decimal'
import { largestLoan } from '@clearwell/rules/loan'
import { useState } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { type AmountProblem, amountProblem, typedUnits } from '../../components/amount-input.ts'
import { significantDecimals } from '../../i18n/format.ts'
import { limitsOf, linePrices, loanAtRatio, previewLoan } from './loan-preview.ts'
import { type MarketPool, useAreLoanPricesLoading, useAvailable, useLoanPrices } from './stake.queries.ts'
import type { LoanDraft } from './stake-search.ts'

/** Why an amount cannot be borrowed, beyond its form. */
type BorrowProblem = AmountProblem | 'exceeds_pool' | 'over_ratio'

const DEFAULT_TERM_DAYS = 30
/** Of an amount that the slider gives. */
const SLIDER_DECIMALS = 2

/** The input of the form and everything that follows from it on this device. */
export function useLoanForm(market: readonly MarketPool[], first: MarketPool, draft: LoanDraft) {
  const { signedIn } = useAccount()
  const input = useLoanInput(market, first, draft)
  const { pool, collateral, collateralText, borrowText, termDays } = input
  const prices = useLoanPrices(collateral, pool.asset)
  const areLoading = useAreLoanPricesLoading(collateral, pool.asset)
  const available = useAvailable(collateral)
  const [collateralDecimals, decimals] = [ASSET_DECIMALS[collateral ?? pool.asset], ASSET_DECIMALS[pool.asset]]
  const secured = positive(typedUnits(collateralText, collateralDecimals))
  const borrow = positive(typedUnits(borrowText, decimals))
  const covered = prices && secured !== undefined ? largestLoan(secured, prices, limitsOf(pool)) : undefined
  const collateralProblem = amountProblem(collateralText, {
    decimals: collateralDecimals,
    balance: signedIn && available !== undefined ? parseUnits(available, collateralDecimals) : undefined,
  })
  const borrowProblem = problemOf(borrowText, { pool, decimals, covered })
  // More than the pool has is no loan, so it has no terms.
  const lendable = borrowProblem === 'exceeds_pool' ? undefined : borrow
  const wish = { collateral: secured, borrow: lendable, termDays }
  const preview = prices && previewLoan(wish, { pool, prices, nowMs: Date.now() })
  return {
    ...input,
    prices,
    /** A price is missing or out of date, and is not being read for the first time. */
    isPriceOld: !prices && !areLoading,
    preview,
    available: signedIn ? available : undefined,
    isReading: signedIn && available === undefined,
    isReady: collateralProblem === undefined && borrowProblem === undefined,
    collateralProblem,
    borrowProblem,
    /** The price of the collateral at each line of the ratio. */
    linePrices: lendable !== undefined && secured !== undefined ? linePrices(lendable, secured, pool) : undefined,
    /** The most follows once the prices arrive. */
    awaitsMost: secured !== undefined && areLoading,
    /** The most that can be borrowed now, as plain decimal text. */
    most: preview?.maxBorrow === undefined ? undefined : formatUnits(preview.maxBorrow, decimals),
    /** Borrows as much as a ratio gives. */
    setRatio(percent: number): void {
      if (!prices || secured === undefined) return
      const amount = formatUnits(loanAtRatio(secured, prices, percent), decimals)
      input.setBorrowText(cutDecimals(amount, amount.startsWith('0.') ? significantDecimals(amount) : SLIDER_DECIMALS))
    },
  }
}

export type LoanForm = ReturnType<typeof useLoanForm>

/** The choices and amounts of the user. */
function useLoanInput(market: readonly MarketPool[], first: MarketPool, draft: LoanDraft) {
  const [borrow, setBorrow] = useState<AssetId>(draft.borrow ?? first.asset)
  const pool = market.find(({ asset }) => asset === borrow) ?? first
  const [wanted, setWanted] = useState<AssetId | undefined>(draft.collateral)
  const collateral = pool.collateral.find((asset) => asset === wanted) ?? pool.collateral[0]
  const [collateralText, setCollateralText] = useState(draft.collateralAmount ?? '')
  const [borrowText, setBorrowText] = useState(draft.amount ?? '')
  const [term, setTerm] = useState(draft.term ?? DEFAULT_TERM_DAYS)
  const [tried, setTried] = useState(false)
  return {
    pool,
    collateral,
    collateralText,
    borrowText,
    termDays: pool.terms_days.includes(term) ? term : (pool.terms_days[0] ?? DEFAULT_TERM_DAYS),
    tried,
    setTried,
    setTerm,
    setBorrowText,
    setCollateralText,
    chooseCollateral(asset: AssetId): void {
      setWanted(asset)
      setCollateralText('')
      setTried(false)
    },
    chooseBorrow(asset: AssetId): void {
      setBorrow(asset)
      setBorrowText('')
      setTried(false)
      // The other asset of the pair becomes the collateral.
      if (asset === collateral) setCollateralText('')
    },
  }
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
  return amountProblem(text, { decimals, min: parseUnits(pool.min_loan, decimals) ?? 0n, balance: undefined })
}
