import type { PartRules } from '@clearwell/rules/part-liquidation'
import { poolRulesOf } from './lending-books.ts'
import type { LendingRules } from './lending-parameters.ts'

/** The rules that an order is liquidated by, from the terms of its opening. */
export function partRulesOf(
  terms: Pick<LendingRules, 'limits' | 'liquidation' | 'pools'>,
  borrowed: string,
): PartRules {
  const { liquidationBps } = terms.limits
  const { minLoan: leastLoan } = poolRulesOf(terms, borrowed)
  return { ...terms.liquidation, liquidationBps, leastLoan }
}
