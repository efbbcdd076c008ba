import { mulDiv } from '@clearwell/money/mul-div'
import { BPS } from '@clearwell/money/scale'

/** Shares of the fee revenue, one for each receiving account of the ledger. */
export interface RevenueParts {
  readonly rewards: bigint
  readonly referral: bigint
  readonly insurance: bigint
  readonly treasury: bigint
}

/**
 * Splits a fee's revenue between its accounts (product rule "Revenue split").
 *
 * Rounding: `referral`, `insurance` and `treasury` down; the remainder goes to `rewards`, so the dust never reaches the
 * operator. The parts always add up to `revenue`.
 *
 * The caller decides who receives the `referral` part (the inviter if activated, otherwise `rewards`).
 *
 * @param revenue base units of one asset.
 * @param shareBps the share of each account; together 10000.
 * @throws RangeError on negative revenue, a negative share, or shares that do not add up to 10000.
 */
export function splitRevenue(revenue: bigint, shareBps: RevenueParts): RevenueParts {
  const shares = [shareBps.rewards, shareBps.referral, shareBps.insurance, shareBps.treasury]
  if (shares.some((share) => share < 0n)) throw new RangeError('splitRevenue: a share must not be negative')
  if (shares.reduce((sum, share) => sum + share, 0n) !== BPS) {
    throw new RangeError('splitRevenue: the shares must add up to 10000')
  }
  const referral = mulDiv(revenue, shareBps.referral, BPS, 'down')
  const insurance = mulDiv(revenue, shareBps.insurance, BPS, 'down')
  const treasury = mulDiv(revenue, shareBps.treasury, BPS, 'down')
  return { rewards: revenue - referral - insurance - treasury, referral, insurance, treasury }
}
