import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import type { Config } from '../../api/config.ts'

const DECIMALS = 18
const ONE = 10n ** 18n

/** The part of a swap fee that goes to the inviter, as a fraction. Rounded down. */
export function referralPartOf({
  swap_total: total,
  swap_revenue: revenue,
  revenue_split: split,
}: Config['fees']): string {
  return fraction(mulDiv(units(revenue), units(split.referral), ONE, 'down'), units(total))
}

/** The part of a swap fee that does not stay in the pool, as a fraction. Rounded down. */
export function revenuePartOf({ swap_total: total, swap_revenue: revenue }: Config['fees']): string {
  return fraction(units(revenue), units(total))
}

/** A share as a fraction of the fee that paid it. Rounded down, as the share is. */
export function partOfFee({ amount, fee }: { amount: string; fee: string }): string {
  return fraction(units(amount), units(fee))
}

function fraction(part: bigint, whole: bigint): string {
  return whole === 0n ? '0' : formatUnits(mulDiv(part, ONE, whole, 'down'), DECIMALS)
}

function units(text: string): bigint {
  return parseUnits(text, DECIMALS) ?? 0n
}
