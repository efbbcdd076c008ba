import { hasReached, isWithin, type LoanPrices, type LtvLimits } from '@clearwell/rules/loan'

/** How near a loan is to its liquidation: by the three limits of the ratio, and by the repayment time. */
export type Health = 'safe' | 'fair' | 'at_risk' | 'to_be_cleared' | 'overdue'

/** The health of a debt at prices. Exact: nothing is rounded. */
export function healthOfDebt(
  limits: LtvLimits,
  debt: bigint,
  { collateral, prices }: { readonly collateral: bigint; readonly prices: LoanPrices },
): Health {
  if (hasReached(limits.liquidationBps, debt, collateral, prices)) return 'to_be_cleared'
  if (hasReached(limits.warningBps, debt, collateral, prices)) return 'at_risk'
  return isWithin(limits.initialBps, debt, collateral, prices) ? 'safe' : 'fair'
}
