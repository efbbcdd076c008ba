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
  const units = (fraction: string) => parseUnits(fraction, DECIMALS) ?? 0n
  if (units(total) === 0n) return '0'
  const referral = mulDiv(units(revenue), units(split.referral), ONE, 'down')
  return formatUnits(mulDiv(referral, ONE, units(total), 'down'), DECIMALS)
}
