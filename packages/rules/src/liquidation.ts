import { minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { isLiquidatable, type LoanPrices, type LtvLimits } from './loan.ts'

/** Collateral that a liquidator receives for each unit of debt, by value, in basis points: 10800 is 8 % more. */
export interface LiquidationRules extends LtvLimits {
  readonly bonusBps: bigint
  /** For a loan that is only overdue. */
  readonly overdueBonusBps: bigint
}

/** A liquidation, to the unit. Each figure names its asset. */
export interface Liquidation {
  /** The factor that applied, in basis points. */
  readonly factorBps: bigint
  /** Borrowed asset that the liquidator pays. */
  readonly paid: bigint
  /** Collateral that the liquidator receives. */
  readonly received: bigint
  /** Collateral that goes back to the borrower. */
  readonly returned: bigint
  /** Borrowed asset that the liquidator does not pay: insurance covers it, and pledgers bear the rest. */
  readonly shortfall: bigint
}

const BPS = 10_000n

/**
 * Computes a liquidation (product rules, "Liquidation market").
 *
 * The liquidator pays the whole debt and receives collateral worth `debt × 1.08` (× 1.05 if the loan is only overdue). If the
 * collateral is worth less, the liquidator receives all of it and pays its value ÷ 1.08.
 *
 * Rounding: `received` down and `paid` up, against the liquidator.
 *
 * @param debt principal and interest due, in base units.
 */
export function liquidate(
  loan: { readonly debt: bigint; readonly collateral: bigint },
  prices: LoanPrices,
  rules: LiquidationRules,
): Liquidation {
  const { debt, collateral } = loan
  const isOverLimit = isLiquidatable(rules, debt, collateral, prices)
  const factorBps = isOverLimit ? rules.bonusBps : rules.overdueBonusBps
  const due = debt * prices.borrowed * factorBps
  if (due <= collateral * prices.collateral * BPS) {
    const received = mulDiv(due, 1n, prices.collateral * BPS, 'down')
    return { factorBps, paid: debt, received, returned: collateral - received, shortfall: 0n }
  }
  const paid = mulDiv(collateral * prices.collateral, BPS, prices.borrowed * factorBps, 'up')
  return { factorBps, paid, received: collateral, returned: 0n, shortfall: debt - paid }
}

/** Computes a liquidator's profit at market prices, in the borrowed asset. Rounded down, so it never appears too large. */
export function liquidationProfit({ paid, received }: Liquidation, prices: LoanPrices): bigint {
  const worth = mulDiv(received, prices.collateral, prices.borrowed, 'down')
  return worth - paid
}

/** Divides a loss: the insurance pays all that it has, and pledgers bear the rest. */
export function coverShortfall(
  shortfall: bigint,
  insurance: bigint,
): { readonly insurance: bigint; readonly pledgers: bigint } {
  const covered = minUnits(shortfall, insurance)
  return { insurance: covered, pledgers: shortfall - covered }
}
