import type { ResponseOf } from '@clearwell/api/routes'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { liquidationPrice } from '@clearwell/rules/loan'

const DECIMALS = 18
const BPS_DECIMALS = 4

type Loan = ResponseOf<'stakeOrders'>['items'][number]
type Parameters = ResponseOf<'stakeParameters'>['now']

/** The effect of announced parameters on a loan. Its rate stays. Prices of the collateral are in the borrowed asset. */
export interface LoanEffect {
  readonly priceBefore: string
  readonly priceAfter: string
  /** At the present price the loan would be to be cleared, and is not so now. */
  readonly crosses: boolean
}

/** Computes the effect of a change on an open loan; `undefined` for one that has ended. */
export function effectOn(loan: Loan, now: Parameters, next: Parameters): LoanEffect | undefined {
  if (loan.status !== 2 && loan.status !== 0) return undefined
  const [debt, collateral] = [unitsOf(loan.total_debt), unitsOf(loan.collateral_amount)]
  const priceUnder = (set: Parameters) => liquidationPrice(debt, collateral, limitsOf(set))
  const [before, after] = [priceUnder(now), priceUnder(next)]
  if (before === undefined || after === undefined) return undefined
  return {
    priceBefore: formatUnits(before, DECIMALS),
    priceAfter: formatUnits(after, DECIMALS),
    crosses: loan.status === 2 && loan.ltv !== null && unitsOf(loan.ltv) >= unitsOf(next.ltv_liquidation),
  }
}

function limitsOf({ ltv_initial, ltv_warning, ltv_liquidation }: Parameters) {
  const bps = (fraction: string) => parseUnits(fraction, BPS_DECIMALS) ?? 0n
  return { initialBps: bps(ltv_initial), warningBps: bps(ltv_warning), liquidationBps: bps(ltv_liquidation) }
}

function unitsOf(amount: string): bigint {
  return parseUnits(amount, DECIMALS) ?? 0n
}
