import { mulDiv } from '@clearwell/money/mul-div'
import { coverShortfall, type Liquidation, liquidate, liquidationProfit } from './liquidation.ts'
import { type Debt, interestDue, isLiquidatable, type LoanPrices, loanToValue } from './loan.ts'

/** Everything that decides a liquidation. Amounts are in base units, times in seconds since 1970. */
export interface SettlementInputs {
  readonly debt: Debt
  readonly collateral: bigint
  readonly prices: LoanPrices
  /** When the liquidation was executed. */
  readonly at: bigint
  readonly repaymentTime: bigint
  readonly rules: SettlementRules
  /** Borrowed asset that `insurance` had. */
  readonly insurance: bigint
}

/** In basis points. */
interface SettlementRules {
  readonly liquidationBps: bigint
  readonly bonusBps: bigint
  readonly overdueBonusBps: bigint
}

/** A liquidation step by step, in the order of the formula. Each figure names its asset. */
export interface Settlement extends Liquidation {
  /** Borrowed asset. Rounded up. */
  readonly interest: bigint
  /** Borrowed asset: principal and interest. */
  readonly debt: bigint
  /** At 10^18, rounded up. `undefined` without collateral. */
  readonly ltvE18: bigint | undefined
  /** The ratio has reached the limit. Otherwise the order is only overdue. */
  readonly isOverLimit: boolean
  readonly isOverdue: boolean
  /** Collateral that is worth the debt times the factor, rounded down. It may be more than there is. */
  readonly owedCollateral: bigint
  /** Borrowed asset. The parts of `shortfall`. */
  readonly paidByInsurance: bigint
  readonly lostByPledgers: bigint
  /** Borrowed asset at the prices of the liquidation, rounded down. */
  readonly profit: bigint
}

/**
 * Computes a liquidation from its inputs, step by step. The server decides by it and stores the inputs; the web computes a
 * receipt again by the same function. The same inputs therefore give the same units everywhere.
 *
 * @example
 * const { paid, received } = settle(inputs)
 */
export function settle({
  debt: owed,
  collateral,
  prices,
  at,
  repaymentTime,
  rules,
  insurance,
}: SettlementInputs): Settlement {
  const interest = interestDue(owed, at)
  const debt = owed.principal + interest
  // The two other limits decide nothing here.
  const limits = { ...rules, initialBps: 0n, warningBps: 0n }
  const result = liquidate({ debt, collateral }, prices, limits)
  const cover = coverShortfall(result.shortfall, insurance)
  return {
    ...result,
    interest,
    debt,
    ltvE18: loanToValue(debt, collateral, prices),
    isOverLimit: isLiquidatable(limits, debt, collateral, prices),
    isOverdue: at >= repaymentTime,
    owedCollateral: mulDiv(debt * prices.borrowed, result.factorBps, prices.collateral * 10_000n, 'down'),
    paidByInsurance: cover.insurance,
    lostByPledgers: cover.pledgers,
    profit: liquidationProfit(result, prices),
  }
}
