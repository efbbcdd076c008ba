import { fractionE18 } from './lending-figures.ts'
import type { Loan, MarketPool } from './stake.queries.ts'

/** Returns whether a loan is not over: it can be repaid, and takes collateral. */
export function isOpenLoan({ status }: Pick<Loan, 'status'>): boolean {
  return status === 2 || status === 0
}

/** `now`: anyone can liquidate the loan. `soon`: it is near a limit of the ratio, or of the time. */
export type Danger = 'now' | 'soon'

/** The first reminder of a repayment time is sent this long before it. */
export const NEAR_MS = 72 * 3_600_000

/** The danger that an open loan is in; `undefined` for one that is safe or over. */
export function dangerOf(loan: Loan, pool: MarketPool | undefined, nowMs: number): Danger | undefined {
  if (!isOpenLoan(loan)) return undefined
  if (loan.status === 0) return 'now'
  const first = loan.estimated_liquidation_time ?? loan.repayment_time
  if (Date.parse(first) - nowMs <= NEAR_MS) return 'soon'
  const isNearLimit = pool !== undefined && loan.ltv !== null && fractionE18(loan.ltv) >= fractionE18(pool.ltv_warning)
  return isNearLimit ? 'soon' : undefined
}

/** The loans, the one in the greatest danger first: those to liquidate, those near a limit, then by ratio from the highest. */
export function byDanger<Item extends Loan>(
  loans: readonly Item[],
  market: readonly MarketPool[],
  nowMs: number,
): Item[] {
  const ranked = loans.map((loan) => {
    const pool = market.find(({ asset }) => asset === loan.borrow_asset)
    const danger = dangerOf(loan, pool, nowMs)
    return { loan, rank: danger === 'now' ? 0 : danger === 'soon' ? 1 : 2, ltvE18: fractionE18(loan.ltv ?? '0') }
  })
  return ranked
    .toSorted((a, b) => a.rank - b.rank || (a.ltvE18 === b.ltvE18 ? 0 : a.ltvE18 < b.ltvE18 ? 1 : -1))
    .map(({ loan }) => loan)
}
