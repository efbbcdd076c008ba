import type { AssetId } from '@clearwell/money/asset'
import { minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'

/** The lowest and the highest price of two sources, in USDT at 10^18. All assets have the same decimals. */
export interface TwoPrices {
  readonly lowE18: bigint
  readonly highE18: bigint
}

/** Assets without two fresh sources that agree are absent. */
export type ShortfallPrices = Readonly<Partial<Record<AssetId, TwoPrices>>>

/** Base units that insurance and treasury gave, or are owed. */
export interface Shares {
  readonly insurance: bigint
  readonly treasury: bigint
}

/** Units of an asset that an account gives back, and the units of the advance that they settle. */
export interface Return {
  readonly asset: AssetId
  readonly units: bigint
  readonly settles: bigint
}

/** Decides who advances units that an account lacks: insurance, then treasury, as far as they have them. */
export function shareAdvance(missing: bigint, funds: Shares): Shares {
  const insurance = minUnits(missing, funds.insurance)
  return { insurance, treasury: minUnits(missing - insurance, funds.treasury) }
}

/**
 * Decides with what an account gives an advance back: with the same asset first, then with the others at the prices that are worse for
 * the account, in the order of `own`. Rounds against the account, but never takes units that settle nothing.
 *
 * @param own what the account has available.
 */
export function settleShortfall({
  asset,
  owed,
  own,
  prices,
}: {
  readonly asset: AssetId
  readonly owed: bigint
  readonly own: readonly { readonly asset: AssetId; readonly units: bigint }[]
  readonly prices: ShortfallPrices
}): Return[] {
  const returns: Return[] = []
  let left = owed
  const first = own.filter((each) => each.asset === asset)
  const others = own.filter((each) => each.asset !== asset)
  for (const each of [...first, ...others]) {
    const worth = each.asset === asset ? SAME : rateOf(prices, { given: each.asset, owed: asset })
    if (!worth) continue
    const settles = minUnits(left, mulDiv(each.units, worth.given, worth.owed, 'down'))
    if (settles === 0n) continue
    returns.push({ asset: each.asset, units: mulDiv(settles, worth.owed, worth.given, 'up'), settles })
    left -= settles
  }
  return returns
}

/** The price of a unit that is given, and of a unit that is owed. */
interface Rate {
  readonly given: bigint
  readonly owed: bigint
}

const SAME: Rate = { given: 1n, owed: 1n }

/** The account may have chosen the older of two roots, so it pays with the lower price and owes at the higher one. */
function rateOf(prices: ShortfallPrices, of: { readonly given: AssetId; readonly owed: AssetId }): Rate | undefined {
  const [given, owed] = [prices[of.given], prices[of.owed]]
  return given && owed && { given: given.lowE18, owed: owed.highE18 }
}
