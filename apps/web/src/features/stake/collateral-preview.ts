import type { ResponseOf } from '@clearwell/api/routes'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { leastCollateral, liquidationPrice, loanToValue } from '@clearwell/rules/loan'
import type { PriceSides } from '@clearwell/rules/price-sides'
import { limitsOf, textOfE18 } from './lending-figures.ts'
import { type Health, healthOfDebt } from './loan-health.ts'

type Loan = ResponseOf<'stakeOrders'>['items'][number]
type MarketPool = ResponseOf<'stakeMarket'>[number]

const DECIMALS = 18

/** An order with another amount of collateral. */
export interface CollateralPreview {
  /** Plain decimal text. */
  readonly collateral: string
  /** As a fraction; `undefined` while a price is out of date. */
  readonly ltv: string | undefined
  readonly health: Health | undefined
  readonly liquidationPrice: string | undefined
}

/**
 * Computes what an order would be with more or less collateral, at its present debt and the worse price for the borrower.
 *
 * @param change base units; negative takes back.
 * @returns `undefined` if nothing would be left.
 */
export function previewCollateral(
  loan: Loan,
  change: bigint,
  { pool, sides }: { readonly pool: MarketPool; readonly sides: PriceSides | undefined },
): CollateralPreview | undefined {
  const collateral = units(loan.collateral_amount) + change
  if (collateral <= 0n) return undefined
  const debt = units(loan.total_debt)
  const limits = limitsOf(pool)
  const ltv = sides && loanToValue(debt, collateral, sides.worse)
  const price = liquidationPrice(debt, collateral, limits)
  return {
    collateral: formatUnits(collateral, DECIMALS),
    ltv: ltv === undefined ? undefined : textOfE18(ltv),
    health: sides && healthOfDebt(limits, debt, { collateral, sides }),
    liquidationPrice: price === undefined ? undefined : textOfE18(price),
  }
}

/** The collateral above the initial limit, which can be taken back. Rounded down, for the pool. */
export function spareCollateral(loan: Loan, pool: MarketPool, { worse }: PriceSides): string {
  const spare = units(loan.collateral_amount) - leastCollateral(units(loan.total_debt), worse, limitsOf(pool))
  return formatUnits(spare > 0n ? spare : 0n, DECIMALS)
}

function units(text: string): bigint {
  return parseUnits(text, DECIMALS) ?? 0n
}
