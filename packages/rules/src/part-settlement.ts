import { hasReached, type LoanPrices, loanToValue } from './loan.ts'
import { type Debt, interestDue, repay, totalDebt } from './loan-order.ts'
import {
  type AllowedParts,
  allowedParts,
  coverLoss,
  liquidatePart,
  type PartLiquidation,
  type PartRules,
  profitOfPart,
} from './part-liquidation.ts'

/** Everything that decides a liquidation of a part. Amounts are in base units, times in seconds since 1970. */
export interface PartInputs {
  readonly debt: Debt
  /** The index of the pool at `at`, at 10^27. */
  readonly indexE27: bigint
  readonly collateral: bigint
  /** The mean prices: clearing, bonus and loss. */
  readonly prices: LoanPrices
  /** The better prices for the borrower: an order is to be cleared when it is over its limit at these. */
  readonly betterPrices: LoanPrices
  /** The debt that ends; `'most'` for the most that is allowed. */
  readonly part: bigint | 'most'
  /** When the liquidation was executed. */
  readonly at: bigint
  readonly repaymentTime: bigint
  /** Those of the order's opening. */
  readonly rules: PartRules
  /** Borrowed asset that `insurance` had. */
  readonly insurance: bigint
}

/** The rest of an order, and its new state. */
export interface OrderAfterPart {
  readonly debt: Debt
  /** Borrowed asset: principal and interest, rounded up. */
  readonly total: bigint
  readonly collateral: bigint
  /** At the mean prices, at 10^18. `undefined` when nothing is left. */
  readonly ltvE18: bigint | undefined
  /** Liquidated: no debt is left. To be cleared: still over the limit, or overdue. Normal: cured. */
  readonly state: 'liquidated' | 'to_be_cleared' | 'normal'
}

/** A liquidation step by step, in the order of the formula. Each figure names its asset. */
export interface PartSettlement extends PartLiquidation {
  /** Borrowed asset. Rounded up. */
  readonly interest: bigint
  /** Borrowed asset: principal and interest. */
  readonly debt: bigint
  /** At the mean prices, at 10^18, rounded up. `undefined` without collateral. */
  readonly ltvE18: bigint | undefined
  /** The ratio has reached the limit at both prices. */
  readonly isOverLimit: boolean
  readonly isOverdue: boolean
  readonly allowed: AllowedParts
  /** Borrowed asset: the parts of `ended`, interest first. */
  readonly interestEnded: bigint
  readonly principalEnded: bigint
  readonly debtSharesEnded: bigint
  /** Borrowed asset. The parts of `shortfall`. */
  readonly paidByInsurance: bigint
  readonly lostByPledgers: bigint
  /** Borrowed asset at the mean prices, rounded down. */
  readonly profit: bigint
  readonly after: OrderAfterPart
}

/**
 * Computes a liquidation of a part from its inputs, step by step. The server decides by it and stores the inputs; the web computes a
 * receipt again by the same function. The same inputs therefore give the same units everywhere.
 *
 * It does not refuse: the caller refuses an order that is neither over its limit nor overdue, and a part that `checkPart` refuses.
 *
 * @throws RangeError if the part is not above 0 or is more than the debt.
 */
export function settlePart(inputs: PartInputs): PartSettlement {
  const { indexE27, collateral, prices, betterPrices, at, repaymentTime, rules, insurance } = inputs
  const debt = totalDebt(inputs.debt, indexE27)
  const isOverdue = at >= repaymentTime
  const allowed = allowedParts({ debt, collateral, isOverdue }, prices, rules)
  const part = inputs.part === 'most' ? allowed.most : inputs.part
  const result = liquidatePart({ debt, collateral }, part, prices, rules)
  const ended = repay(inputs.debt, part, indexE27)
  const cover = coverLoss(result.shortfall, insurance)
  return {
    ...result,
    interest: interestDue(inputs.debt, indexE27),
    debt,
    ltvE18: loanToValue(debt, collateral, prices),
    isOverLimit: hasReached(rules.liquidationBps, debt, collateral, betterPrices),
    isOverdue,
    allowed,
    interestEnded: ended.interest,
    principalEnded: ended.principal,
    debtSharesEnded: ended.debtShares,
    paidByInsurance: cover.insurance,
    lostByPledgers: cover.pledgers,
    profit: profitOfPart(result, prices),
    after: orderAfter(inputs, ended.after, result.kept),
  }
}

function orderAfter(
  { indexE27, prices, betterPrices, at, repaymentTime, rules }: PartInputs,
  debt: Debt,
  collateral: bigint,
): OrderAfterPart {
  if (debt.debtShares === 0n) return { debt, total: 0n, collateral: 0n, ltvE18: undefined, state: 'liquidated' }
  const total = totalDebt(debt, indexE27)
  const isOver = hasReached(rules.liquidationBps, total, collateral, betterPrices)
  const state = isOver || at >= repaymentTime ? 'to_be_cleared' : 'normal'
  return { debt, total, collateral, ltvE18: loanToValue(total, collateral, prices), state }
}
