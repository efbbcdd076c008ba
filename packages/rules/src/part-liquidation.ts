import { minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { BPS } from '@clearwell/money/scale'
import { hasReached, type LoanPrices } from './loan.ts'

/** The rules that an order is liquidated by. Ratios and factors in basis points; neither bonus is below the floor. */
export interface PartRules {
  /** From this ratio on an order is to be cleared, and the bonus is the higher one: 8300. */
  readonly liquidationBps: bigint
  /** From this ratio on the whole debt may be cleared in one payment: 9000. */
  readonly wholeBps: bigint
  /** The most of a debt that one payment may end below that ratio: 5000. */
  readonly partBps: bigint
  /** An order is cleared whole while its debt is under this many least loans: 4. */
  readonly smallOrderLoans: bigint
  /** Collateral for each unit of debt, by value: 10800 is 8 % more. */
  readonly bonusBps: bigint
  /** The same for an order that is only overdue: 10500. */
  readonly overdueBonusBps: bigint
  /** The least collateral for each unit that is paid, by value: 10200. While there is as much, the debt is paid in full. */
  readonly floorBps: bigint
  /** The least loan of the borrowed asset, in base units. */
  readonly leastLoan: bigint
}

/** An order at a moment, in base units of its two assets. */
export interface DueOrder {
  /** Principal and interest, rounded up. */
  readonly debt: bigint
  readonly collateral: bigint
  readonly isOverdue: boolean
}

/** The debt that one payment may end: `all`, or from `min` to `max`. In base units. */
export interface AllowedParts {
  /** The most that may end, and what ends if the liquidator names no part. */
  readonly most: bigint
  /** Parts that leave a rest. `undefined` where only the whole debt can be cleared. */
  readonly parts: { readonly min: bigint; readonly max: bigint } | undefined
}

/** Why a part is refused, and the bounds of the parts that are allowed. */
export interface PartRefusal {
  /** `half`: more than the part that is allowed below the ratio. `least_part`, `least_rest`: below the least loan. `whole_only`: no part is allowed. */
  readonly reason: 'half' | 'least_part' | 'least_rest' | 'whole_only'
  readonly min: bigint
  readonly max: bigint
}

/** A part of a liquidation, to the unit. Each figure names its asset. */
export interface PartLiquidation {
  /** The factor that applied, in basis points. */
  readonly factorBps: bigint
  /** Borrowed asset: the debt that ends. `paid` and `shortfall` add up to it. */
  readonly ended: bigint
  /** Collateral worth the part times the factor, rounded down. */
  readonly byFactor: bigint
  /** The same part of the collateral as of the debt, rounded down. */
  readonly byShare: bigint
  /** Borrowed asset that the liquidator pays. */
  readonly paid: bigint
  /** Collateral that the liquidator receives. */
  readonly received: bigint
  /** Collateral that goes back to the borrower: all that is left, when no debt is left. */
  readonly returned: bigint
  /** Collateral that stays with the order, when debt is left. */
  readonly kept: bigint
  /** Borrowed asset that the liquidator does not pay: insurance covers it, and pledgers bear the rest. */
  readonly shortfall: bigint
}

/**
 * Computes which parts of a debt one payment may end (product rules, "Liquidation market").
 *
 * All of it, if the ratio has reached `wholeBps`, the order is overdue, or the debt is under `smallOrderLoans` least loans. Otherwise at
 * most `partBps` of it, rounded down. What ends, and what stays, is at least the least loan, unless nothing stays.
 *
 * @param prices the mean prices.
 */
export function allowedParts(order: DueOrder, prices: LoanPrices, rules: PartRules): AllowedParts {
  const { debt, collateral, isOverdue } = order
  const { leastLoan, wholeBps, partBps, smallOrderLoans } = rules
  const isWhole = isOverdue || debt < smallOrderLoans * leastLoan || hasReached(wholeBps, debt, collateral, prices)
  const most = isWhole ? debt : mulDiv(debt, partBps, BPS, 'down')
  const max = minUnits(most, debt - leastLoan)
  return { most, parts: max >= leastLoan ? { min: leastLoan, max } : undefined }
}

/** Checks the debt that a liquidator wants to end. @returns `undefined` if it is allowed. */
export function checkPart(part: bigint, debt: bigint, { most, parts }: AllowedParts): PartRefusal | undefined {
  if (part === debt && most === debt) return undefined
  if (!parts) return { reason: 'whole_only', min: debt, max: debt }
  if (part < parts.min) return { reason: 'least_part', min: parts.min, max: most }
  if (part > most) return { reason: 'half', min: parts.min, max: most }
  if (part > parts.max) return { reason: 'least_rest', ...parts }
  return undefined
}

/**
 * Computes the liquidation of a part of a debt (product rules, "Liquidation market").
 *
 * While the collateral is worth at least the debt × 1.02, the part is paid in full. The liquidator receives collateral worth the part
 * × 1.08 (× 1.05 if the order is only overdue), and no more than the same part of the collateral. Below that, the liquidator receives
 * the same part of the collateral and pays its value ÷ 1.02; the rest of the part is a shortfall.
 *
 * Rounding: `received` down and `paid` up, against the liquidator.
 *
 * @param part the debt that ends, in base units: above 0 and at most the debt. Whether it is allowed is not checked.
 * @param prices the mean prices.
 * @throws RangeError if the part is out of range.
 */
export function liquidatePart(
  { debt, collateral }: Pick<DueOrder, 'debt' | 'collateral'>,
  part: bigint,
  prices: LoanPrices,
  rules: PartRules,
): PartLiquidation {
  if (part <= 0n || part > debt) throw new RangeError('liquidatePart: the part must be above 0 and at most the debt')
  const isOverLimit = hasReached(rules.liquidationBps, debt, collateral, prices)
  const factorBps = isOverLimit ? rules.bonusBps : rules.overdueBonusBps
  const byFactor = mulDiv(part * prices.borrowed, factorBps, prices.collateral * BPS, 'down')
  const byShare = mulDiv(collateral, part, debt, 'down')
  // Under the floor the share is the less: no factor is below the floor.
  const received = minUnits(byFactor, byShare)
  const worth = mulDiv(collateral * part * prices.collateral, BPS, debt * prices.borrowed * rules.floorBps, 'up')
  const paid = minUnits(part, worth)
  const left = collateral - received
  const isWhole = part === debt
  return {
    factorBps,
    ended: part,
    byFactor,
    byShare,
    paid,
    received,
    returned: isWhole ? left : 0n,
    kept: isWhole ? 0n : left,
    shortfall: part - paid,
  }
}

/** Computes a liquidator's profit at market prices, in the borrowed asset. Rounded down, so it never appears too large. */
export function profitOfPart(
  { paid, received }: Pick<PartLiquidation, 'paid' | 'received'>,
  prices: LoanPrices,
): bigint {
  return mulDiv(received, prices.collateral, prices.borrowed, 'down') - paid
}

/** Divides a loss: the insurance pays all that it has, and pledgers bear the rest. */
export function coverLoss(
  shortfall: bigint,
  insurance: bigint,
): { readonly insurance: bigint; readonly pledgers: bigint } {
  const covered = minUnits(shortfall, insurance)
  return { insurance: covered, pledgers: shortfall - covered }
}
