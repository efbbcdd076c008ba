import type { ResponseOf } from '@clearwell/api/routes'
import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { RAY, sharesOfLoan } from '@clearwell/rules/borrow-index'
import { utilisation } from '@clearwell/rules/interest'
import { largestLoan, leastCollateral, liquidationPrice, loanToValue } from '@clearwell/rules/loan'
import { timeOfLiquidation } from '@clearwell/rules/loan-order'
import { interestOver, NO_RATE, repriceRate } from '@clearwell/rules/pool-rate'
import type { PriceSides } from '@clearwell/rules/price-sides'
import { curveOf, fractionE18, limitsOf, textOfE18 } from './lending-figures.ts'
import { type Health, healthOfDebt } from './loan-health.ts'

/** The server's quote of a loan, computed on the device while one types. Equal to the unit: see sim/src/loan-preview.test.ts. */

type MarketPool = ResponseOf<'stakeMarket'>[number]

const DAY_SECONDS = 86_400n

export interface LoanPreview {
  readonly maxBorrow: bigint | undefined
  readonly minCollateral: bigint | undefined
  /** Right after the loan. */
  readonly rateE18: bigint
  /** Where the rate then moves, if nothing else changes. */
  readonly rateTargetE18: bigint
  /** At 10^18; `undefined` unless both amounts are given. */
  readonly ltvE18: bigint | undefined
  readonly health: Health | undefined
  /** In the borrowed asset, at 10^18. */
  readonly liquidationPriceE18: bigint | undefined
  /** At the rate of now: it floats. */
  readonly interestAtTerm: bigint | undefined
  readonly repaymentTime: string
  /** When the growing debt reaches the limit at this rate and the better price, or the repayment time if that is earlier. */
  readonly liquidationTime: string | undefined
}

interface LoanWish {
  /** Base units. */
  readonly collateral: bigint | undefined
  readonly borrow: bigint | undefined
  readonly termDays: number
}

/**
 * Computes the terms of a loan that would be opened now: its ratio at the worse price for the borrower, the time of its liquidation
 * at the better one.
 *
 * @param pool of the borrowed asset, as the market shows it.
 * @param nowMs the time of opening, in milliseconds since 1970.
 */
export function previewLoan(
  { collateral, borrow, termDays }: LoanWish,
  { pool, sides, nowMs }: { readonly pool: MarketPool; readonly sides: PriceSides; readonly nowMs: number },
): LoanPreview {
  const limits = limitsOf(pool)
  const { rateE18, rateTargetE18 } = ratesAfterLoan(
    pool,
    minUnits(borrow ?? fractionE18(pool.min_loan), fractionE18(pool.cash)),
  )
  const opened = BigInt(Math.floor(nowMs / 1_000))
  const seconds = BigInt(termDays) * DAY_SECONDS
  const terms = {
    maxBorrow:
      collateral === undefined
        ? undefined
        : minUnits(largestLoan(collateral, sides.worse, limits), fractionE18(pool.order_max)),
    minCollateral: borrow === undefined ? undefined : leastCollateral(borrow, sides.worse, limits),
    rateE18,
    rateTargetE18,
    repaymentTime: isoOf(opened + seconds),
    interestAtTerm: borrow === undefined ? undefined : interestOver(borrow, rateE18, seconds),
  }
  if (borrow === undefined || collateral === undefined || collateral === 0n)
    return {
      ...terms,
      ltvE18: undefined,
      health: undefined,
      liquidationPriceE18: undefined,
      liquidationTime: undefined,
    }
  // At an index of one; only how it grows from here matters.
  const reached = timeOfLiquidation(
    { debtShares: sharesOfLoan(borrow, RAY), collateral },
    { limitBps: limits.liquidationBps, prices: sides.better, repaymentTime: opened + seconds },
    { now: opened, indexE27: RAY, rateE18 },
  )
  return {
    ...terms,
    ltvE18: loanToValue(borrow, collateral, sides.worse),
    health: healthOfDebt(limits, borrow, { collateral, sides }),
    liquidationPriceE18: liquidationPrice(borrow, collateral, limits),
    liquidationTime: isoOf(reached),
  }
}

/** The amount of a loan at a ratio that the user chose. Rounded down, for the pool. */
export function loanAtRatio(collateral: bigint, { worse }: PriceSides, percent: number): bigint {
  const limits = { initialBps: BigInt(percent) * 100n, warningBps: 0n, liquidationBps: 0n }
  return largestLoan(collateral, worse, limits)
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

/**
 * The rates of a pool after a loan: the part below the kink follows the curve immediately, the part above it stays as it is and moves to
 * its target over hours. A loan of zero changes nothing.
 */
function ratesAfterLoan(pool: MarketPool, borrow: bigint): Pick<LoanPreview, 'rateE18' | 'rateTargetE18'> {
  if (borrow === 0n) return { rateE18: fractionE18(pool.loan_rate), rateTargetE18: fractionE18(pool.loan_rate_target) }
  const [cash, borrowed] = [fractionE18(pool.cash), fractionE18(pool.borrowed)]
  const curveAt = (utilisationE18: bigint) => repriceRate(NO_RATE, curveOf(pool), utilisationE18)
  const before = curveAt(utilisation({ cash, borrowed })).belowE18
  const above = maxUnits(0n, fractionE18(pool.loan_rate) - before)
  const { belowE18, targetE18 } = curveAt(utilisation({ cash: cash - borrow, borrowed: borrowed + borrow }))
  return { rateE18: belowE18 + above, rateTargetE18: belowE18 + targetE18 }
}

function isoOf(seconds: bigint): string {
  return new Date(Number(seconds) * 1_000).toISOString()
}
