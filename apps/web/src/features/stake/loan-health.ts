import { hasReached, isWithin, type LtvLimits } from '@clearwell/rules/loan'
import type { PriceSides } from '@clearwell/rules/price-sides'

/** How near a loan is to its liquidation: by the three limits of the ratio, and by the repayment time. */
export type Health = 'safe' | 'fair' | 'at_risk' | 'to_be_cleared' | 'overdue'

/** The health of a debt: to be cleared only if it is over the limit at both prices, else by the worse one. Nothing is rounded. */
export function healthOfDebt(
  limits: LtvLimits,
  debt: bigint,
  { collateral, sides: { better, worse } }: { readonly collateral: bigint; readonly sides: PriceSides },
): Health {
  if (hasReached(limits.liquidationBps, debt, collateral, better)) return 'to_be_cleared'
  if (hasReached(limits.warningBps, debt, collateral, worse)) return 'at_risk'
  return isWithin(limits.initialBps, debt, collateral, worse) ? 'safe' : 'fair'
}
