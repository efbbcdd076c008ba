import type { ResponseOf } from '@clearwell/api/routes'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { borrowRate, type InterestCurve, utilisation } from '@clearwell/rules/interest'
import {
  interestDue,
  type LoanPrices,
  type LtvLimits,
  largestLoan,
  leastCollateral,
  liquidationPrice,
  loanToValue,
  timeOfLiquidation,
} from '@clearwell/rules/loan'
import { type Health, healthOfDebt } from './loan-health.ts'

/** The server's quote of a loan, computed on the device while one types. Equal to the unit: see sim/src/loan-preview.test.ts. */

type MarketPool = ResponseOf<'stakeMarket'>[number]

const FRACTION_DECIMALS = 18
const BPS_DECIMALS = 4
const DAY_SECONDS = 86_400n

export interface LoanPreview {
  readonly maxBorrow: bigint | undefined
  readonly minCollateral: bigint | undefined
  readonly rateE18: bigint
  /** At 10^18; `undefined` unless both amounts are given. */
  readonly ltvE18: bigint | undefined
  readonly health: Health | undefined
  /** In the borrowed asset, at 10^18. */
  readonly liquidationPriceE18: bigint | undefined
  readonly interestAtTerm: bigint | undefined
  readonly repaymentTime: string
  /** When the growing debt reaches the liquidation limit at unchanged prices, or the repayment time if that is earlier. */
  readonly liquidationTime: string | undefined
}

interface LoanWish {
  /** Base units. */
  readonly collateral: bigint | undefined
  readonly borrow: bigint | undefined
  readonly termDays: number
}

/**
 * Computes the terms of a loan that would be opened now.
 *
 * @param pool of the borrowed asset, as the market shows it.
 * @param nowMs the time of opening, in milliseconds since 1970.
 */
export function previewLoan(
  { collateral, borrow, termDays }: LoanWish,
  { pool, prices, nowMs }: { readonly pool: MarketPool; readonly prices: LoanPrices; readonly nowMs: number },
): LoanPreview {
  const limits = limitsOf(pool)
  const cash = fractionE18(pool.cash)
  const rateE18 = rateOfLoan(pool, minUnits(borrow ?? fractionE18(pool.min_loan), cash))
  const opened = BigInt(Math.floor(nowMs / 1_000))
  const due = opened + BigInt(termDays) * DAY_SECONDS
  const terms = {
    maxBorrow: collateral === undefined ? undefined : minUnits(largestLoan(collateral, prices, limits), cash),
    minCollateral: borrow === undefined ? undefined : leastCollateral(borrow, prices, limits),
    rateE18,
    repaymentTime: isoOf(due),
  }
  const debt = borrow === undefined ? undefined : { principal: borrow, rateE18, accrued: 0n, accruedAt: opened }
  const interestAtTerm = debt && interestDue(debt, due)
  if (!debt || collateral === undefined || collateral === 0n)
    return {
      ...terms,
      interestAtTerm,
      ltvE18: undefined,
      health: undefined,
      liquidationPriceE18: undefined,
      liquidationTime: undefined,
    }
  const reached = timeOfLiquidation(debt, { collateral, prices, limits }, opened)
  return {
    ...terms,
    interestAtTerm,
    ltvE18: loanToValue(debt.principal, collateral, prices),
    health: healthOfDebt(limits, debt.principal, { collateral, prices }),
    liquidationPriceE18: liquidationPrice(debt.principal, collateral, limits),
    liquidationTime: isoOf(reached === undefined ? due : minUnits(reached, due)),
  }
}

/** The amount of a loan at a ratio that the user chose. Rounded down, for the pool. */
export function loanAtRatio(collateral: bigint, prices: LoanPrices, percent: number): bigint {
  const limits = { initialBps: BigInt(percent) * 100n, warningBps: 0n, liquidationBps: 0n }
  return largestLoan(collateral, prices, limits)
}

/**
 * The prices of the collateral, in the borrowed asset, at which a debt reaches each line of the ratio: initial, warning,
 * liquidation.
 */
export function linePrices(debt: bigint, collateral: bigint, pool: MarketPool): string[] | undefined {
  const limits = limitsOf(pool)
  const lines = [limits.initialBps, limits.warningBps, limits.liquidationBps]
  const prices = lines.map((bps) => liquidationPrice(debt, collateral, { ...limits, liquidationBps: bps }))
  return prices.some((price) => price === undefined) ? undefined : prices.map((price) => textOfE18(price ?? 0n))
}

/** The limits of the ratio, in basis points. */
export function limitsOf(pool: Pick<MarketPool, 'ltv_initial' | 'ltv_warning' | 'ltv_liquidation'>): LtvLimits {
  return {
    initialBps: parseUnits(pool.ltv_initial, BPS_DECIMALS) ?? 0n,
    warningBps: parseUnits(pool.ltv_warning, BPS_DECIMALS) ?? 0n,
    liquidationBps: parseUnits(pool.ltv_liquidation, BPS_DECIMALS) ?? 0n,
  }
}

/** The curve of a pool, for the rules. */
export function curveOf({ curve }: Pick<MarketPool, 'curve'>): InterestCurve {
  return {
    baseE18: fractionE18(curve.base),
    kinkE18: fractionE18(curve.kink),
    slopeToKinkE18: fractionE18(curve.slope_to_kink),
    slopeAboveKinkE18: fractionE18(curve.slope_above_kink),
  }
}

/** A decimal of the API at 10^18. Amounts too: all assets have 18 decimals in the ledger. */
export function fractionE18(text: string): bigint {
  return parseUnits(text, FRACTION_DECIMALS) ?? 0n
}

/** Plain decimal text of a figure at 10^18. */
export function textOfE18(value: bigint): string {
  return formatUnits(value, FRACTION_DECIMALS)
}

/** The rate by the utilisation after the loan, or by the highest one of the last day, which the market's rate contains. */
function rateOfLoan(pool: MarketPool, borrow: bigint): bigint {
  const [cash, borrowed] = [fractionE18(pool.cash), fractionE18(pool.borrowed)]
  const after = utilisation({ cash: cash - borrow, borrowed: borrowed + borrow })
  return maxUnits(fractionE18(pool.loan_rate), borrowRate(curveOf(pool), after))
}

function isoOf(seconds: bigint): string {
  return new Date(Number(seconds) * 1_000).toISOString()
}
