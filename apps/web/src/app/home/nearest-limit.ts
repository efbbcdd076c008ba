import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import type { ListItem } from '../../api/use-list-call.ts'
import { NEAR_MS } from '../../features/stake/loan-danger.ts'

type Loan = Pick<
  ListItem<'stakeOrders'>,
  'status' | 'ltv' | 'liquidation_price' | 'estimated_liquidation_time' | 'repayment_time'
>

/** The limit that a loan meets first. */
export type NearestLimit =
  | { readonly by: 'reached' }
  | { readonly by: 'time'; readonly time: string }
  /** `distance`: the part of the present price that is left, a fraction. */
  | { readonly by: 'price'; readonly price: string; readonly distance: string }
  /** No fresh price: only the repayment time is known. */
  | { readonly by: 'unknown'; readonly time: string }

const DECIMALS = 18
const ONE = 10n ** 18n

/**
 * Finds the limit that an open loan meets first: a time within three days, otherwise the price.
 *
 * @param liquidation the limit of the ratio, a fraction. The distance is rounded down.
 */
export function nearestLimit(loan: Loan, liquidation: string | undefined, nowMs: number): NearestLimit {
  const { status, ltv, liquidation_price: price, estimated_liquidation_time: estimated, repayment_time: due } = loan
  if (status === 0) return { by: 'reached' }
  const first = estimated ?? due
  if (Date.parse(first) - nowMs <= NEAR_MS) return { by: 'time', time: first }
  const [ratio, limit] = [unitsOf(ltv), unitsOf(liquidation)]
  if (price === null || ratio === undefined || !limit) return { by: 'unknown', time: due }
  const left = ratio >= limit ? 0n : mulDiv(limit - ratio, ONE, limit, 'down')
  return { by: 'price', price, distance: formatUnits(left, DECIMALS) }
}

function unitsOf(fraction: string | null | undefined): bigint | undefined {
  return fraction == null ? undefined : parseUnits(fraction, DECIMALS)
}
