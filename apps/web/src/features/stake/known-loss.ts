import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import type { MarketPool } from './stake.queries.ts'

const DECIMALS = 18
const ONE = 10n ** 18n

/** A part of a pledge that a known loss takes: plain decimal text, and as a fraction of the pledge. */
export interface KnownLoss {
  readonly amount: string
  readonly fraction: string
}

/**
 * Computes what a new pledge would lose if it left immediately: shares are bought at the value in, and paid back at the value out. Rounded
 * up, so that it never appears too small.
 *
 * @returns `undefined` if no loss is known.
 */
export function lossOfPledging(
  amount: string,
  { share_value_in, share_value_out }: Pick<MarketPool, 'share_value_in' | 'share_value_out'>,
): KnownLoss | undefined {
  if (share_value_out === null) return undefined
  const [valueIn, valueOut] = [unitsOf(share_value_in), unitsOf(share_value_out)]
  if (valueIn === 0n) return undefined
  return lossOf(mulDiv(unitsOf(amount), valueIn - valueOut, valueIn, 'up'), unitsOf(amount))
}

/**
 * Computes what a withdrawal gives up now: its part of the loss that the whole pledge would bear.
 *
 * @param amount as it is paid back.
 */
export function lossOfWithdrawing(
  amount: string,
  { total_pledged, lost_now }: { readonly total_pledged: string; readonly lost_now: string },
): KnownLoss | undefined {
  const [units, total, lost] = [unitsOf(amount), unitsOf(total_pledged), unitsOf(lost_now)]
  if (total === 0n || units > total) return undefined
  const part = mulDiv(lost, units, total, 'up')
  return lossOf(part, units + part)
}

function lossOf(lost: bigint, of: bigint): KnownLoss | undefined {
  // A unit of rounding is no loss.
  if (lost <= 1n || of === 0n) return undefined
  return { amount: formatUnits(lost, DECIMALS), fraction: formatUnits(mulDiv(lost, ONE, of, 'up'), DECIMALS) }
}

function unitsOf(amount: string): bigint {
  return parseUnits(amount, DECIMALS) ?? 0n
}
